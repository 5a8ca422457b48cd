#pragma once
// Many items into one.

#include "tconv/changes.hpp"

#include <cstddef>
#include <vector>

namespace tconv {

/// Column `index` of a matrix, which stays one.
attn::TensorView column(const attn::TensorView& x, std::size_t index);

/// Does --concat put tensors of this rank beside each other, and not their rows below each other?
bool joins_columns(const Changes& changes, std::size_t rank);

/// What --stack or --concat makes of all: one item with the name of the first. Rows are joined by the names of columns,
/// in the order of the first item that has names. One without names is joined by position, and so are those of other
/// names, which `note` is told; then no names are kept.
/// Throws Error(data) for shapes and dtypes that do not go together.
Item joined_to_one(std::vector<Item> items, const Changes& changes, const cli::Note& note);

}  // namespace tconv
