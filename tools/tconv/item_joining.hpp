#pragma once
// Joining items.

#include "tconv/changes.hpp"

#include <cstddef>
#include <vector>

namespace tconv {

/// Column `index` of a matrix, as a matrix.
attn::TensorView column(const attn::TensorView& x, std::size_t index);

/// Does --concat put tensors of this rank side by side, rather than their rows below each other?
bool joins_columns(const Changes& changes, std::size_t rank);

/// The result of --stack or --concat: one item with the name of the first. Rows are joined by the names of columns, in
/// the order of the first item with names. Items without names are joined by position; so are items whose names differ,
/// with a note, and then no names are kept.
/// Throws Error(data) for shapes and dtypes that cannot be joined.
Item joined_to_one(std::vector<Item> items, const Changes& changes, const cli::Note& note);

}  // namespace tconv
