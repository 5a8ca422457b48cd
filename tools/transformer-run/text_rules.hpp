#pragma once
// How long texts may be and what becomes of their vectors, as options have it, or else the files of the folder.

#include "transformer-run/options.hpp"

#include <attn/api/opened_model.hpp>

#include <optional>

namespace transformer_run {

/// Is the result of a text one vector, as the folder's files or --pool say?
bool wants_vectors(const Options& options, const attn::OpenedModel& opened);

/// Says what the folder asks for and is not done. Throws Error(data) for a pooling that is not known.
attn::TextTaskParameters vector_rules(const Options& options, const attn::OpenedModel& opened, cli::Session& session);

/// Tokens of a text at most; 0: all; none: as many as the model has positions for.
std::optional<std::size_t> max_length_of(const Options& options, const attn::OpenedModel& opened);

/// The lines that were cut: counted, and said in one note.
class CutLines {
 public:
  void count(std::size_t line, bool is_cut);
  void say(const Options& options, const attn::OpenedModel& opened, cli::Session& session) const;

 private:
  std::size_t first_ = 0, cut_ = 0;
};

}  // namespace transformer_run
