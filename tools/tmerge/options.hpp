#pragma once
// The options of tmerge, and its computations: one for each kind of part.

#include "cli/session.hpp"

#include <string>
#include <vector>

namespace tmerge {

struct Options {
  std::vector<std::string> parts;
  bool list_missing = false, strict = false;
  cli::Output output;
};

/// Joins states of keys (state_file.hpp).
void merge_states(const Options& options, const std::vector<attn::Source*>& files, cli::Session& session);

/// Concatenates rows (row_part.hpp).
void concatenate_rows(const Options& options, const std::vector<attn::Source*>& files, cli::Session& session);

}  // namespace tmerge
