#pragma once
// A part of a regression, --shard I/N: some rows of the queries, the criterion over some of the samples, or with
// --emit state the sums over some of them.

#include "cli/part.hpp"
#include "nwreg/options.hpp"

namespace nwreg {

/// Throws Error(usage) for a shard of results that have no parts.
void check_shard(const Options& options, cli::Session& session);

/// The bandwidth as it is computed with, for the record.
void settle_bandwidth(const attn::Smoother& smoother, cli::Session& session);

/// The rows of the queries that the shard has.
cli::PartHead rows_of_shard(const Options& options, const PreparedSamples& data);
/// The samples with these rows of the queries alone, for results that show them.
PreparedSamples with_rows(PreparedSamples data, const cli::PartHead& part);
/// Says that these results have the rows of a part.
void set_rows(std::vector<cli::Result>& results);

/// Writes the leave-one-out criterion at each width of the grid, over the leaves of the shard.
void write_criterion(const Options& options, const PreparedSamples& data, const attn::KernelRegression& regression,
                     cli::Session& session);

/// Writes the sums over the leaves of the shard, whose samples alone are read.
void write_sums(const Options& options, cli::Session& session);

/// What an empty window gives, as the state of a part says it.
attn::EmptyRows empty_rows_of(attn::EmptyWindow empty);

/// Throws Error(usage) if --emit has more than `name`.
void expect_alone(const Options& options, const char* name);

/// The nodes of a part, which come leaf by leaf.
class Leaves {
 public:
  Leaves(std::size_t heads, std::size_t rows, std::size_t width);

  attn::StateNode leaf(std::size_t at) const { return {attn::TreeNode{0, at}, part_.sizes}; }
  void add(attn::StateNode leaf, attn::Isa isa) { attn::append(part_.state, std::move(leaf), isa); }
  /// finish: shape and type of the results, and rule for empty windows.
  attn::AttentionPart take(attn::StateFinish finish);

 private:
  attn::AttentionPart part_;
};

}  // namespace nwreg
