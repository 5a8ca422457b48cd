#pragma once
// Tables of text as cells: comma- or tab-separated, quotes, comments, a header, a first comment with the shape.
// Numbers that would be read as text because of an unexpected delimiter are noticed.
// parser.cpp reads everything before the rows, parser_rows.cpp the rows and cells.

#include <attn/core/dtype.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/input.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io {

/// Number of first rows that determine the kind of a column.
constexpr std::size_t looked_at_rows = 1000;

/// One cell without its quotes and the blanks around it.
struct Cell {
  std::string_view text;  ///< inside the quotes, doubled quotes still doubled
  bool quoted = false;
  const char* begin = nullptr;  ///< start in the text

  std::string unescaped() const;
  bool is_missing() const noexcept;  ///< empty, NA, NaN or .
};

/// The end of the line: its LF or the end of the text.
const char* line_end(const char* at, const char* end) noexcept;

/// A file may begin with it to mark UTF-8; it is not part of the first cell.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Ends the table of a stage that fails while its rows go out: an open quote, which no reader takes for a row.
inline constexpr std::string_view cut_short = "\"cut short\n";

/// Index of the first control character other than tabs and line ends; else the length.
std::size_t find_control(std::string_view text) noexcept;

/// Lines that were skipped as comments, and might be rows.
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

  /// To be called after its end: releases the pages of a mapped file.
  void passed() const noexcept;
};

/// A text as a table: its rows and the names of its columns. No cell is converted yet.
class TableText {
 public:
  /// `is_all`: else it is the beginning of a text of which more comes. Throws Error(data) at file:line:column,
  /// Error(input) if there is no row.
  TableText(std::string_view text, std::string label, const TableOptions& options, ThreadPool* pool,
            bool is_all = true);

  /// The same text, and what has come behind it: finds the rows that are complete now.
  void extend(std::string_view text, bool is_all, ThreadPool* pool);
  /// Rows before this one are not used any more; returns their text that was not given back before.
  std::string_view give_back(std::size_t row);

  /// Omits rows with a missing cell; in columns of text, a cell in quotes is text. Empty columns, which spreadsheets
  /// leave after the last one, do not count.
  void omit_missing(std::vector<bool> are_text, std::vector<bool> are_empty, ThreadPool* pool);

  const std::string& label() const noexcept { return label_; }
  const char* begin() const noexcept { return kept_; }  ///< of the text that was not given back
  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }
  const std::vector<std::string>& names() const noexcept { return names_; }  ///< empty without a header
  std::string name(std::size_t column) const;  ///< from the header if there is one, else its number
  char delimiter() const noexcept { return delimiter_; }
  /// Are numbers such as 2,5 read? With semicolons between cells, unless a comma may separate them as well.
  bool reads_decimal_commas() const noexcept {
    return delimiter_ == ';' && (columns_ > 1 || (!names_.empty() && names_[0].find(',') == std::string::npos));
  }
  bool has_default_delimiter() const noexcept { return has_default_delimiter_; }
  bool has_default_comment() const noexcept { return has_default_comment_; }
  TableOptions::Missing missing() const noexcept { return missing_; }
  /// From a comment "# shape=2,8,64 dtype=f32"; the dtype else from the options.
  const std::optional<Shape>& shape() const noexcept { return shape_; }
  const std::optional<DType>& dtype() const noexcept { return dtype_; }

  /// Guesses about lines, each with its line and the option that decides.
  const std::vector<std::string>& notes() const noexcept { return notes_; }

  /// Blocks of whole lines, which depend only on the text, not on the number of threads.
  const std::vector<TableBlock>& blocks() const noexcept { return blocks_; }

  /// Skips comments, blank lines (in tables of one column, where they are empty cells, only those at the end of the
  /// text) and rows that omit_missing() omits; false at the end. Counts comments that might be rows.
  bool find_row(const char*& at, const char* end, DoubtfulComments* comments = nullptr) const;
  /// Reads the cell at `at` and moves to the delimiter or the end of the line after it, over a comment behind the last
  /// number of a row.
  Cell take_cell(const char*& at, const char* end, std::size_t column) const;
  /// The same, with quotes as plain characters.
  Cell take_plain_cell(const char*& at, const char* end, std::size_t column) const noexcept;
  /// Moves over the required separator after cell `column` of a row: a delimiter, or the end of the line after the
  /// last.
  void take_separator(const char*& at, const char* end, std::size_t column) const;
  /// The cells of one row, whose number is not checked.
  std::vector<Cell> take_row(const char*& at, const char* end) const;
  void skip_row(const char*& at, const char* end) const;

  /// Throws Error(data) if a cell of words is not UTF-8 or contains control characters.
  void require_text(const Cell& cell) const;

  /// Throws Error(data) if an unquoted cell is a number with a decimal comma.
  void refuse_decimal_comma(const Cell& cell) const;

  /// A hint if a line, or what is behind a row, begins with a sign of comments and is not left out; else empty.
  std::string way_to_comments(const char* at, const char* what = "lines that begin") const;
  /// A hint if rows of one cell may have another delimiter; else empty.
  std::string hint_of_delimiter() const;
  /// The delimiter that OtherDelimiter finds in the first cells of the rows from `at` on.
  char delimiter_of_rows(const char* at) const;

  std::size_t line_of(const char* at) const noexcept;  ///< from 1

  /// Throws Error(data) with the line and column of a position in the text.
  [[noreturn]] void refuse(const char* at, const std::string& detail, const std::string& fix = {}) const;
  [[noreturn]] void refuse_row(const char* at, std::size_t cells, const std::string& hint) const;

 private:
  bool is_comment(const char* at, const char* end) const noexcept;
  bool begins_comment(std::string_view cell, const char* at, const char* end, std::size_t column) const noexcept;
  bool is_sign(char c) const noexcept { return are_signs_[static_cast<unsigned char>(c)]; }
  bool is_delimiter(char c) const noexcept { return c == delimiter_ || (c == '\t' && delimiter_ == ' '); }
  bool is_blank(char c) const noexcept { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }
  bool is_plain_number(const Cell& cell) const;
  bool read_delimiter(std::string_view line);
  void read_comment(std::string_view line);
  void read_header(const char*& at, TableOptions::Header header, std::vector<const char*>& comments);
  std::vector<std::string> names_in(const char* comment) const;
  bool is_header(const std::vector<Cell>& first, const char* behind);
  bool may_be_row(const char* comment, const char* end) const noexcept;
  bool is_like_column(const Cell& first, std::size_t column, const char* behind) const;
  void expect_width(const char* at, const char* behind);
  void expect_no_titles(const char* behind) const;
  void note(const char* at, const std::string& what);
  void note_doubtful(const char* row);
  void expect_delimiter_of(const std::vector<Cell>& first) const;
  void find_rows(ThreadPool* pool);
  const char* find_quoted_rows(const char* end, std::size_t lines);
  bool is_cut(const char* row, const char* end) const;
  const char* end_of_quotes(const char* at, const char* end) const noexcept;
  void note_comments();
  void expect_one_row(const char* row, const char* behind);
  bool are_plain_rows(const char* begin, const char* end) const;
  bool has_missing(const std::vector<Cell>& row) const;
  const char* end_of_rows(const char* end, DoubtfulComments& behind) const;
  void cut_cell(Cell& cell, const char*& at, const char* end, std::size_t column) const noexcept;
  void pass_rest(std::string_view cell, const char*& at, const char* end, std::size_t column) const noexcept;
  bool take_delimiter(const char*& at, const char* end) const;
  [[noreturn]] void refuse_line_end(const char* at) const;

  std::string_view text_;
  const char* kept_;       ///< from here on: what is before it was given back
  const char* sought_;     ///< from here on: rows were found in all of what is before
  std::size_t lines_ = 0;  ///< that were given back
  bool is_all_;
  std::string label_;
  char delimiter_ = ',';
  bool has_default_delimiter_ = true;
  std::string comment_signs_;
  std::array<bool, 256> are_signs_{};  ///< the same by character, as each row is asked for
  bool has_default_comment_ = true, has_comments_in_front_ = false;
  bool has_signs_ = true;  ///< may a comment be behind a row?
  bool has_quotes_ = true;
  bool is_in_front_ = true;  ///< of the first row
  bool has_noted_row_ = false, has_noted_lines_ = false;
  DoubtfulComments comments_;
  std::size_t comments_line_ = 0;  ///< of the first of them
  std::vector<std::string> notes_;
  TableOptions::Missing missing_;
  bool omits_missing_ = false;
  std::vector<bool> are_text_, are_empty_;  ///< kinds of columns for omit_missing()
  std::vector<std::string> names_;
  std::size_t columns_ = 0, rows_ = 0;
  std::optional<Shape> shape_;
  std::optional<DType> dtype_;
  std::vector<TableBlock> blocks_;
};

/// "1;2", "12 4 31": the delimiter of these numbers, one of ; tab | , and the blank; 0 for any other text.
char delimiter_of_numbers(std::string_view text);

/// "3,14" or "1.000,5", as some locales write numbers, with a point; empty for any other text.
std::string with_decimal_point(std::string_view text);
inline bool has_decimal_comma(std::string_view text) { return !with_decimal_point(text).empty(); }

/// What is in front of a blank and #, which may begin a comment; the whole of other text, such as 1.#INF.
std::string_view before_comment(std::string_view text) noexcept;

/// In the form for --delim: "';'", "'\t'".
std::string shown_delimiter(char delimiter);

/// Sees the cells of the only column of a table and finds a delimiter that would give a column of numbers: one that is
/// in all cells, with numbers in one field throughout, or, for blanks, in all fields.
class OtherDelimiter {
 public:
  void see(const Cell& cell);
  /// 0 if there is none.
  char found() const noexcept;

 private:
  struct Candidate {
    char character;
    bool is_possible = true;
    std::vector<bool> is_number = {};  ///< by the position in the row
  };
  std::array<Candidate, 5> candidates_ = {{{';'}, {'\t'}, {'|'}, {','}, {' '}}};
};

}  // namespace attn::io
