#pragma once
// Parts of tables of words and numbers, which are one dataset for each column.

#include <attn/core/slab.hpp>
#include <attn/core/stream.hpp>

#include <vector>

namespace cli {

/// Tensors, and the part of each.
struct TablePart {
  std::vector<attn::TensorInfo> tensors;
  attn::Slab slab;
};

/// Is a slab of all tensors of this source one of the table that they are?
bool is_of_columns(const attn::Source& source);

/// What a slab of all these tensors of a source is of each. Of a table that is one dataset for each column it is of the
/// table, (rows, columns): its second axis chooses among the tensors. Throws Error(usage) where that leaves none, or
/// for a column that is not there.
TablePart part_of(const attn::Source& source, std::vector<attn::TensorInfo> tensors, attn::Slab slab);

}  // namespace cli
