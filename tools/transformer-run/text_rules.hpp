#pragma once
// Length of texts and pooling of their vectors, from the options, else from the files of the folder.

#include "cli/report.hpp"
#include "transformer-run/options.hpp"

#include <attn/models/model_folder.hpp>

#include <optional>

namespace transformer_run {

/// Is the result of a text one vector, by the folder's files or --pool?
bool wants_vectors(const Options& options, const attn::OpenedModel& opened);

/// The parameters of the folder with the options over them, for a model that computes in `compute`.
attn::TextTaskParameters vector_rules(const Options& options, const attn::OpenedModel& opened, attn::DType compute);

/// Largest number of tokens of a text; 0: no limit; none: the positions of the model.
std::optional<std::size_t> max_length_of(const Options& options, const attn::OpenedModel& opened);

/// Counts the lines that were cut and those with text that the tokenizer does not know, for a note of each.
class LineNotes {
 public:
  void count(std::size_t line, bool is_cut, bool has_unknown);
  void say(const Options& options, const attn::OpenedModel& opened, cli::Report& report) const;

 private:
  struct Lines {
    std::size_t first = 0, count = 0;
    void add(std::size_t line);
    std::string text(const std::string& verb_of_one, const std::string& verb_of_several) const;
  };
  Lines cut_, unknown_;
};

}  // namespace transformer_run
