#pragma once
// Slabs of tables of words and numbers, which have one dataset for each column.

#include <attn/core/slab.hpp>
#include <attn/core/stream.hpp>

#include <vector>

namespace cli {

/// Tensors, and the slab of each.
struct TablePart {
  std::vector<attn::TensorInfo> tensors;
  attn::Slab slab;
};

/// Are the tensors of this source the columns of one table, so that a slab applies to the table?
bool is_of_columns(const attn::Source& source);

/// The slab of each tensor, given a slab of all. For a table with one dataset for each column, the slab applies to the
/// table (rows, columns): its second axis selects tensors. Throws Error(usage) if it selects none or a missing column.
TablePart part_of(const attn::Source& source, std::vector<attn::TensorInfo> tensors, attn::Slab slab);

}  // namespace cli
