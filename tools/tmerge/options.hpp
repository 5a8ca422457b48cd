#pragma once
// The options of tmerge, and its computations: one for each kind of part.

#include "cli/results/state_file.hpp"
#include "tmerge/files.hpp"

namespace tmerge {

struct Options {
  std::vector<std::string> parts;
  bool list_missing = false, mixed = false;
  cli::OptionalInput key{"k"}, value{"v"};
  cli::Output output;
};

/// Joins states of keys (state_file.hpp).
void merge_states(const Options& options, Files& files, cli::Session& session);

/// Takes the best keys of all searches (search_state.hpp).
void merge_searches(const Options& options, Files& files, cli::Session& session);

/// Writes the mean, and what --emit names, of the sums of a regression.
void finish_regression(const Options& options, const cli::StateHeader& header, const attn::StateNode& root,
                       cli::Session& session);
/// Writes the criterion at all widths, and the best width.
void finish_criterion(const Options& options, const cli::StateHeader& header, const attn::StateNode& root,
                      cli::Session& session);

/// Adds up gradients (gradient_part.hpp).
void merge_gradients(const Options& options, Files& files, cli::Session& session);

/// Concatenates rows (row_part.hpp).
void concatenate_rows(const Options& options, const std::shared_ptr<Files>& files, cli::Session& session);

}  // namespace tmerge
