#pragma once
// Parts of tables, also of words and numbers, which are one dataset for each column.

#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>

#include <string>
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

/// The names by which the columns of a dataset are matched with those of another table; for the empty name of a table
/// that is one dataset for each column, those of all. Empty if they have none, or if the name or the part chooses
/// columns, as FILE:/age,height and [:,0:2] do, whose order is meant.
std::vector<std::string> names_to_match(const attn::Source& source, const std::string& dataset, const attn::Slab& part);

}  // namespace cli
