#pragma once
// Columns of a table of text: which hold words, and their cells as elements.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/table_text.hpp>

#include <cstddef>
#include <vector>

namespace attn::io {

struct ColumnKind {
  bool is_text = false;
  bool has_decimal_commas = false;  ///< its words are numbers such as 3,14, which nobody means as text
};

/// A column is text when none of its cells is a number, as far as the first rows show; quotes make a number text among
/// words. Anything else is a column of numbers, and a word in it will be refused.
/// Throws Error(data) where a single column of text is rather one of rows with another delimiter.
std::vector<ColumnKind> kinds_of_columns(const TableText& text);

/// The chosen columns in that order, (rows, columns). Throws Error(data) at file:line:column for a cell that is none of
/// dtype, Error(usage) for a column that is chosen twice.
TensorView read_columns(const TableText& text, const std::vector<ColumnKind>& kinds,
                        const std::vector<std::size_t>& columns, DType dtype, const Execution& execution);

}  // namespace attn::io
