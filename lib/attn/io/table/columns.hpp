#pragma once
// Columns of a table of text: which hold words, and their cells as elements.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/table/text.hpp>

#include <cstddef>
#include <vector>

namespace attn::io {

/// So many rows, the first ones, say what a column holds.
constexpr std::size_t looked_at_rows = 1000;

struct ColumnKind {
  bool is_text = false;
  Cell odd;                                 ///< the first that is no plain number
  bool is_empty = false;                    ///< its cells are missing
  bool has_decimal_commas = false;          ///< its words are numbers such as 3,14, which nobody means as text
  bool fits_i64 = false, fits_u64 = false;  ///< all of its numbers are whole ones of that dtype
  bool exceeds_f64 = false;                 ///< its numbers are whole, and some of them no f64
};

/// A column is text when none of its cells is a number, as far as the first rows show. A number in quotes is text among
/// words, and where other cells of the table have no quotes; where all have them, they say nothing. Anything else is a
/// column of numbers, and a word in it will be refused. A dtype that the table or its reader gives comes first.
/// Throws Error(data) where a single column of text is rather one of rows with another delimiter.
std::vector<ColumnKind> kinds_of_columns(const TableText& text);

/// What rows that are long have of a mapped file in memory while texts are read from them, as many as are read at once.
std::uint64_t pages_of_long_rows(const TableText& text, const Execution& execution);

/// In one pass over the text several tensors, (rows, columns) each, of the columns chosen for it in that order. Throws
/// Error(data) at file:line:column for a cell that is none of dtype, Error(usage) for a column that is chosen twice.
std::vector<TensorView> read_columns(const TableText& text, const std::vector<ColumnKind>& kinds,
                                     const std::vector<std::vector<std::size_t>>& tensors, DType dtype,
                                     const Execution& execution);

}  // namespace attn::io
