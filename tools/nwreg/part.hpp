#pragma once
// A part of a regression, --shard I/N: some rows of the queries, the criterion over some of the samples, or with
// --emit state the sums over some of them.

#include "cli/part.hpp"
#include "nwreg/options.hpp"

namespace nwreg {

/// Throws Error(usage) for a shard of results that have no parts.
void check_shard(const Options& options, cli::Session& session);

/// The bandwidths as they are computed with, for the record.
void settle_bandwidth(const std::vector<attn::Bandwidth>& bandwidths, cli::Session& session);

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

}  // namespace nwreg
