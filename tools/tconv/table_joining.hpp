#pragma once
// Tables of words and numbers, which are one dataset for each column, into one table.

#include "tconv/changes.hpp"

#include <vector>

namespace tconv {

/// What --stack or --concat makes of all: one item, as joined_to_one() says; where some operand is a table of several
/// datasets, one for each of its columns, joined by their names.
/// Throws Error(data) for shapes and dtypes that do not go together, and where a table lacks a column.
std::vector<Item> joined(std::vector<Item> items, const Changes& changes, const cli::Note& note);

}  // namespace tconv
