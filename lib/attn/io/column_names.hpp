#pragma once
// What the columns of a matrix are called: as an attribute, and in the header of a table.

#include <attn/core/stream.hpp>

#include <string>
#include <vector>

namespace ATTN_API attn {
namespace io {

/// The list in the attribute `columns`, whose names may be numbers too; empty unless there are `count` of them.
std::vector<std::string> column_names(const Attributes& attributes, std::size_t count);

/// What the datasets of `count` columns, one for each, are called: by the names that no others have, else, and where a
/// name is no path or leads through another (km/h beside km), by their numbers, with underscores behind where that is a
/// name too.
std::vector<std::string> datasets_of_columns(const std::vector<std::string>& names, std::size_t count);

/// Is a dataset with these names of columns called as datasets_of_columns() calls that of one column?
bool is_dataset_of_column(const std::string& dataset, const std::vector<std::string>& names);

/// A name that reads as a number would make a header a row of data: it is written with a slash in front, and so is one
/// that has such a slash already.
std::string marked_name(const std::string& name);
/// The name that marked_name() turned into this.
std::string unmarked_name(const std::string& name);

}  // namespace io
}  // namespace attn
