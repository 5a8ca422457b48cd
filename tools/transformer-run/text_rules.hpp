#pragma once
// Length of texts and pooling of their vectors, from the options, else from the files of the folder.

#include "cli/report.hpp"
#include "transformer-run/options.hpp"

#include <attn/models/opened_model.hpp>

#include <optional>

namespace transformer_run {

/// Is the result of a text one vector, by the folder's files or --pool?
bool wants_vectors(const Options& options, const attn::OpenedModel& opened);

/// The parameters of the folder with the options over them, for a model that computes in `compute`.
attn::TextTaskParameters vector_rules(const Options& options, const attn::OpenedModel& opened, attn::DType compute);

/// Largest number of tokens of a text; 0: no limit; none: the positions of the model.
std::optional<std::size_t> max_length_of(const Options& options, const attn::OpenedModel& opened);

/// Counts the lines that were cut, for one note.
class CutLines {
 public:
  void count(std::size_t line, bool is_cut);
  void say(const Options& options, const attn::OpenedModel& opened, cli::Report& report) const;

 private:
  std::size_t first_ = 0, cut_ = 0;
};

}  // namespace transformer_run
