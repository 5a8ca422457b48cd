#pragma once
// Columns of a table of text: their kinds, and their cells as elements.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/table/parser.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace attn::io {

struct ColumnKind {
  bool is_text = false;
  bool is_date = false;             ///< text that begins with a date, or with one word above dates: in numbers, days
  Cell odd;                         ///< the first that is not a plain number
  bool is_empty = false;            ///< its cells are missing
  bool has_decimal_commas = false;  ///< numbers such as 3,14, which are not meant as text
  bool has_decimal_points = false;
  Cell thousands;                           ///< such as 1,234, if nothing shows that the comma is the decimal sign
  bool fits_i64 = false, fits_u64 = false;  ///< all its numbers are whole and fit that dtype
  bool exceeds_f64 = false;                 ///< its numbers are whole, and some do not fit f64
};

/// A column is text if none of its cells in the first rows is a number. A number in quotes is text among words, and if
/// other cells of the table have no quotes; if all have quotes, they are ignored. Any other column is of numbers, and a
/// word in it is refused later. A dtype of the table or its reader takes precedence. Throws Error(data) if a single
/// column of text looks like rows with another delimiter.
std::vector<ColumnKind> kinds_of_columns(const TableText& text);

/// Columns of one tensor in a header.
struct HeaderPart {
  std::string name;  ///< of the tensor
  std::size_t columns = 1;
  std::vector<std::string> column_names;  ///< from the attribute `columns`; empty: numbered
};

/// One name for a column; a tensor of several columns has names for them or numbers them: y0, y1 ... A name that
/// several tensors have is said with the tensor's, y/age and x/age, unless they are the columns of one table.
std::vector<std::string> names_in_header(const std::vector<HeaderPart>& parts);

/// Memory of the pages of a mapped file for long rows, as many as are read at once.
std::uint64_t pages_of_long_rows(const TableText& text, const Execution& execution);

/// Rows [first, last) of a table.
struct TableRows {
  std::size_t first, last;
};

/// Reads several tensors, each (rows, columns) of its selected columns in that order, in one pass over the text of the
/// rows. As numbers, columns of dates are days_of_date(). Throws Error(data) at file:line:column for a cell that is not
/// of the dtype, Error(usage) for a column that is selected twice.
std::vector<TensorView> read_columns(const TableText& text, const std::vector<ColumnKind>& kinds,
                                     const std::vector<std::vector<std::size_t>>& tensors, DType dtype, TableRows rows,
                                     const Execution& execution);

}  // namespace attn::io
