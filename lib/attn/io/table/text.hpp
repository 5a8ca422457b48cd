#pragma once
// Tables of text as cells: comma- or tab-separated, quotes, comments, a header, a first comment that gives the shape.
// What stands before the rows is read in text.cpp, the rows and cells in rows.cpp.

#include <attn/core/dtype.hpp>
#include <attn/core/parallel.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/input.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io {

/// One cell without its quotes and the blanks around it.
struct Cell {
  std::string_view text;  ///< between the quotes, doubled ones still doubled
  bool quoted = false;
  const char* begin = nullptr;  ///< where it starts in the text

  std::string unescaped() const;
  bool is_missing() const noexcept;  ///< empty, NA, NaN or .
};

/// The end of the line, where its LF stands or the text ends.
const char* line_end(const char* at, const char* end) noexcept;

/// A file may begin with it to say that it is UTF-8; it is no part of the first cell.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Where the first control character is that text has no use for, as it has for tabs and line ends; else the length.
std::size_t find_control(std::string_view text) noexcept;

/// Where a line that begins with # or % is no row.
inline std::string way_to_comments(char sign) {
  return std::string("--comment '") + sign + "' leaves out lines that begin with " + sign;
}

/// Lines that were left out as comments, and might be rows.
struct DoubtfulComments {
  const char* first = nullptr;
  std::size_t count = 0;

  void add(const char* at, std::size_t more = 1) noexcept {
    if (count == 0) first = at;
    count += more;
  }
};

/// A run of whole lines and the number of its first row of data.
struct TableBlock {
  const char* begin;
  const char* end;
  std::size_t first_row = 0;

  /// It was gone through to its end: pages of a mapped file are given back.
  void passed() const noexcept;
};

/// A text seen as a table: where its rows are, and what its columns are called. No cell is converted yet.
class TableText {
 public:
  /// Throws Error(data) at file:line:column, Error(input) when there is no row at all.
  TableText(std::string_view text, std::string label, const TableOptions& options, ThreadPool* pool);

  /// Leaves out the rows that have a missing cell; one in quotes is text in columns of text.
  /// Those of empty columns, as spreadsheets leave them behind the last one, do not count.
  void omit_missing(std::vector<bool> are_text, std::vector<bool> are_empty, ThreadPool* pool);

  const std::string& label() const noexcept { return label_; }
  const char* begin() const noexcept { return text_.data(); }
  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }
  const std::vector<std::string>& names() const noexcept { return names_; }  ///< empty without a header
  std::string name(std::size_t column) const;  ///< from the header where it has one, else its number
  char delimiter() const noexcept { return delimiter_; }
  bool has_default_delimiter() const noexcept { return has_default_delimiter_; }
  TableOptions::Missing missing() const noexcept { return missing_; }
  /// From a comment "# shape=2,8,64 dtype=f32"; the dtype else from the options.
  const std::optional<Shape>& shape() const noexcept { return shape_; }
  const std::optional<DType>& dtype() const noexcept { return dtype_; }

  /// What was guessed about lines, each with its line and the option that decides.
  const std::vector<std::string>& notes() const noexcept { return notes_; }

  /// Whole lines, cut by the text alone and never by the number of threads.
  const std::vector<TableBlock>& blocks() const noexcept { return blocks_; }

  /// Moves over comments, blank lines (of tables of one column, where they are empty cells, only those at the end of
  /// the text) and rows that omit_missing() leaves out; false at the end. Counts the comments that might be rows.
  bool find_row(const char*& at, const char* end, DoubtfulComments* comments = nullptr) const;
  /// Reads the cell at `at` and moves to the delimiter or the end of the line behind it.
  Cell take_cell(const char*& at, const char* end) const;
  /// Moves over what must stand behind cell `column` of a row: a delimiter, or the end of the line behind the last.
  void take_separator(const char*& at, const char* end, std::size_t column) const;
  /// The cells of one row, whose number is not checked.
  std::vector<Cell> take_row(const char*& at, const char* end) const;

  /// Error(data) when a cell of words is not UTF-8 or holds control characters.
  void require_text(const Cell& cell) const;

  /// Error(data) where an unquoted cell is a number with a decimal comma.
  void refuse_decimal_comma(const Cell& cell) const;

  std::size_t line_of(const char* at) const noexcept;  ///< from 1

  /// Error(data) at the line and column of a place in the text.
  [[noreturn]] void refuse(const char* at, const std::string& detail, const std::string& fix = {}) const;
  [[noreturn]] void refuse_row(const char* at, std::size_t cells, const std::string& hint) const;

 private:
  bool is_comment(const char* at, const char* end) const noexcept;
  bool read_delimiter(std::string_view line);
  void read_comment(std::string_view line);
  void read_header(const char*& at, TableOptions::Header header);
  bool is_header(const std::vector<Cell>& first, const char* behind);
  bool may_be_row(const char* comment, const char* end) const noexcept;
  void expect_width(const char* at, const char* behind);
  void note(const char* at, const std::string& what);
  void note_doubtful(const char* row);
  void expect_delimiter_of(const std::vector<Cell>& first) const;
  void find_rows(const char* begin, ThreadPool* pool);
  void find_quoted_rows(const char* begin, const char* end);
  bool has_missing(const std::vector<Cell>& row) const;
  const char* end_of_rows(const char* begin, DoubtfulComments& behind) const;
  void skip_row(const char*& at, const char* end) const;
  void pass_blanks(const char*& at, const char* end) const noexcept;
  bool take_delimiter(const char*& at, const char* end) const;
  std::string hint_of_delimiter() const;
  [[noreturn]] void refuse_line_end(const char* at) const;

  std::string_view text_;
  std::string label_;
  char delimiter_ = ',';
  bool has_default_delimiter_ = true;
  char comment_ = '#';  ///< 0: none
  bool has_default_comment_ = true;
  bool is_in_front_ = true;  ///< of the first row
  bool has_noted_row_ = false;
  DoubtfulComments comments_;
  std::vector<std::string> notes_;
  TableOptions::Missing missing_;
  bool omits_missing_ = false;
  std::vector<bool> are_text_, are_empty_;  ///< the columns, where it does
  std::vector<std::string> names_;
  std::size_t columns_ = 0, rows_ = 0;
  std::optional<Shape> shape_;
  std::optional<DType> dtype_;
  std::vector<TableBlock> blocks_;
};

}  // namespace attn::io
