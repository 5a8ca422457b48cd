#pragma once
// Joining tables of words and numbers, which are one dataset for each column.

#include "tconv/changes.hpp"

#include <vector>

namespace tconv {

/// The result of --stack or --concat: one item, as by joined_to_one(), or, if an operand is a table of several
/// datasets, one item for each of its columns, joined by name.
/// Throws Error(data) for shapes and dtypes that cannot be joined, and if a table lacks a column.
std::vector<Item> joined(std::vector<Item> items, const Changes& changes, const cli::Note& note);

}  // namespace tconv
