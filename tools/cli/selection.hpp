#pragma once
// Which datasets of a source are meant: names that match a shell pattern, the groups that they belong to, and parts of
// tables, also of words and numbers, which are one dataset for each column.

#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace cli {

/// Does `name` equal the pattern, or match it by fnmatch(3): *, ?, [a-c], [!a-c], and a backslash before a literal
/// character? A star also matches slashes. A leading slash is ignored in both: /a of an operand is a in HDF5, and
/// safetensors may have the name /a.
bool matches_glob(const std::string& pattern, const std::string& name);

/// Is `name` the group or in it? The group without a name contains everything.
bool is_within(const std::string& name, const std::string& group);

/// Adds the groups of a tensor, except the one without a name.
void add_groups_of(const std::string& name, std::set<std::string>& groups);

using IsSelected = std::function<bool(const std::string& name)>;

/// The groups within `place`, the path of an operand, that are selected or contain a selected tensor.
std::vector<std::string> selected_groups(const attn::Source& source, const std::string& place,
                                         const IsSelected& is_selected);

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
/// columns, as FILE:/age,height and [:,0:2] do, whose order is meant; that of a range or a pattern is not.
std::vector<std::string> names_to_match(const attn::Source& source, const std::string& dataset, const attn::Slab& part);

}  // namespace cli
