#pragma once
// Many items into one, or tables of words and numbers, which are one dataset for each column, into one table.

#include "tconv/changes.hpp"

#include <vector>

namespace tconv {

/// What --stack or --concat makes of all: one item with the name of the first; where some operand is a table of several
/// datasets, one for each of its columns. Rows of tables are joined by the names of their columns, in the order of the
/// first that has names. One without names is joined by position, and so are tensors of other names, which `note` is
/// told; then no names are kept.
/// Throws Error(data) for shapes and dtypes that do not go together, and where a table lacks a column.
std::vector<Item> joined(std::vector<Item> items, const Changes& changes, Copies& copies, const cli::Note& note);

}  // namespace tconv
