#pragma once
// Parts of tables of words and numbers, which are one dataset for each column.

#include <attn/core/slab.hpp>
#include <attn/core/source_sink.hpp>

#include <vector>

namespace cli {

/// Tensors, and the part to take of each.
struct TablePart {
  std::vector<attn::TensorInfo> tensors;
  attn::Slab slab;
};

/// Do the tensors of this source form one table, so that a slab applies to the table?
bool is_of_columns(const attn::Source& source);

/// The part that a slab takes of each of these tensors. For a table that is one dataset for each column, the slab
/// applies to the table (rows, columns): its second axis selects tensors. Throws Error(usage) if that leaves none, or
/// for a missing column.
TablePart part_of(const attn::Source& source, std::vector<attn::TensorInfo> tensors, attn::Slab slab);

}  // namespace cli
