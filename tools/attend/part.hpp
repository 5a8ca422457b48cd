#pragma once
// A part of an attention, --shard I/N: some rows of the queries, or the state of some keys.

#include "attend/options.hpp"
#include "cli/part.hpp"

#include <attn/core/source_sink.hpp>

namespace attend_tool {

/// Settles, for the record, the options whose defaults depend on the inputs.
void settle_options(const attn::AttendInputs& inputs, const attn::AttendParameters& parameters, cli::Session& session);

/// Keys and values in memory, as a source of blocks.
class DatabaseInMemory {
 public:
  DatabaseInMemory(const attn::TensorView& key, const attn::TensorView& value);
  /// In one block.
  attn::StoredDatabase database() { return {{&memory_, *memory_.find("k")}, {&memory_, *memory_.find("v")}, all_keys}; }

 private:
  static constexpr std::size_t all_keys = std::size_t{1} << 48;
  attn::TensorMap memory_;
};

/// The rows of the queries that a shard computes, and what belongs to them.
class QueryRows {
 public:
  /// Throws Error(usage) for results without rows or in a format that keeps no attributes.
  QueryRows(const Options& options, const cli::Input& query, attn::Layout layout, cli::Session& session);

  /// The options whose tensors are the same for all rows.
  cli::AttentionOptions shared_options() const;
  /// Only these rows are read.
  attn::TensorView read_queries();
  /// Reads the rows of masks, lengths and biases, and says where the queries are among the keys.
  void read_masks(attn::AttendInputs& inputs, attn::AttendParameters& parameters);

  /// Writes the results of pool() or search() as a part. `database`: keys and values that stay in their files.
  void write(std::vector<cli::Result> results, const attn::AttendInputs& inputs,
             const attn::AttendParameters& parameters, const std::optional<attn::StoredDatabase>& database) const;

 private:
  attn::TensorView read(const cli::Input& input, attn::Shape shape, std::size_t axis);

  const Options& options_;
  cli::Session& session_;
  cli::Input query_;
  std::size_t axis_;
  cli::PartHead part_;
};

}  // namespace attend_tool
