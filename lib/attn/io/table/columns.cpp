#include <attn/core/date_forms.hpp>
#include <attn/core/dtype.hpp>
#include <attn/core/error.hpp>
#include <attn/core/from_chars.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/dates.hpp>
#include <attn/io/numbers/decimal.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/table/columns.hpp>
#include <attn/io/table/parser.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <string_view>
#include <type_traits>

namespace attn::io {
namespace {

// Cells as numbers, with a fast path for plain numbers.

/// The type in which a cell is read: 16-bit floats are rounded once, from doubles.
template <class T>
using CellNumber = std::conditional_t<std::is_arithmetic_v<T>, T,
                                      std::conditional_t<std::is_same_v<T, Boolean>, std::int64_t, double>>;

/// Is this a value of T? A bool is 0 or 1.
template <class T>
bool is_value_of(CellNumber<T> number) noexcept {
  return !std::is_same_v<T, Boolean> || number == 0 || number == 1;
}

/// Doubles below this are exactly the whole number that was read, others perhaps a neighbour.
constexpr double exact_below = 9007199254740992.0;

/// May this element differ from its text, which begins with `first`: a rounded whole number, or 0 for -0?
template <class T>
bool may_change(CellNumber<T> number, char first) noexcept {
  if constexpr (std::is_same_v<T, double>) return number >= exact_below || number <= -exact_below;
  if constexpr (std::is_integral_v<CellNumber<T>>) return number == 0 && first == '-';
  return false;
}

template <class T>
T element_of(CellNumber<T> number) noexcept {
  if constexpr (std::is_same_v<T, Float16>)
    return to_float16(number);
  else if constexpr (std::is_same_v<T, BFloat16>)
    return to_bfloat16(number);
  else if constexpr (std::is_same_v<T, Boolean>)
    return {static_cast<std::uint8_t>(number != 0)};
  else
    return number;
}

/// The end of the number at `at`; `end` if std::from_chars does not read one.
template <class T>
const char* parse_by_library(const char* at, const char* end, T& value) noexcept {
  const auto result = from_chars(at, end, value);
  const bool is_number = result.ec == std::errc() && result.ptr[-1] != ')';  // nan(12) is not a number here
  return is_number ? result.ptr : end;
}

/// The same, if read_decimal() has the room that it needs. Always inlined: as a call, a number takes a quarter more
/// time on Golden Cove (bench-io text).
template <class T>
__attribute__((always_inline)) inline const char* parse_plain_cell(const char* at, const char* end, T& value) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    const char* const behind = read_decimal(at, value);
    if (behind != nullptr) return behind;
  }
  return parse_by_library(at, end, value);
}

/// A whole number with a point or an exponent, such as 3.0 or 1e3, that is exact in double.
template <class T>
bool parse_whole(std::string_view text, T& value) noexcept {
  double wide = 0;
  if (!parse_number(text, wide) || std::trunc(wide) != wide || std::abs(wide) >= exact_below) return false;
  if (wide < static_cast<double>(std::numeric_limits<T>::min()) ||
      wide > static_cast<double>(std::numeric_limits<T>::max()))
    return false;
  value = static_cast<T>(wide);
  return true;
}

constexpr std::size_t smallest_long = std::size_t{2} << 20;  // bytes in memory at once

/// The location of the elements of a column.
struct Target {
  std::size_t first = 0;
  std::size_t step = 0;  ///< from row to row; 0: the column is skipped
  bool is_date = false;  ///< where a number would be another day than is meant
};

class ColumnReader {
 public:
  /// The tensors are consecutive.
  ColumnReader(const TableText& text, const std::vector<ColumnKind>& kinds,
               const std::vector<std::vector<std::size_t>>& tensors, TableRows rows)
      : text_(text), kinds_(kinds), rows_(rows), targets_(text.columns()) {
    for (const std::vector<std::size_t>& columns : tensors) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        Target& target = targets_[columns[i]];
        if (target.step != 0)
          throw Error(ErrorKind::usage, text.label(), "column '" + text.name(columns[i]) + "' is named twice");
        target = {size_ + i, columns.size(), kinds[columns[i]].is_date};
        reads_whole_unasked_ |= kinds[columns[i]].exceeds_f64 && !text.dtype();
      }
      size_ += (rows.last - rows.first) * columns.size();
    }
    for (const ColumnKind& kind : kinds) {
      has_decimal_commas_ |= kind.has_decimal_commas && text.reads_decimal_commas();
      has_decimal_points_ |= kind.has_decimal_points;
    }
  }

  std::size_t size() const noexcept { return size_; }  ///< of all tensors

  /// The blocks that have rows to read.
  std::size_t blocks() const noexcept {
    return rows_.first == rows_.last ? 0 : block_of(rows_.last - 1) - block_of(rows_.first) + 1;
  }
  const TableBlock& block(std::size_t i) const noexcept { return text_.blocks()[block_of(rows_.first) + i]; }
  template <class T>
  void parse_numbers(const TableBlock& block, T* out) const;
  void parse_strings(const TableBlock& block, std::string* out, TextMemory& texts) const;

 private:
  std::size_t block_of(std::size_t row) const noexcept {
    const auto behind = std::upper_bound(text_.blocks().begin(), text_.blocks().end(), row,
                                         [](std::size_t at, const TableBlock& block) { return at < block.first_row; });
    return static_cast<std::size_t>(behind - text_.blocks().begin()) - 1;
  }
  std::size_t skip_rows(const char*& at, const TableBlock& block) const;
  template <class T>
  CellNumber<T> parse_odd_cell(const char*& at, const char* end, std::size_t column) const;
  std::string with_point(const Cell& cell) const;
  template <class T>
  CellNumber<T> parse_date_cell(const char*& at, const char* end, std::size_t column) const;
  std::string way_of_cell(const Cell& cell, std::size_t column) const;
  [[noreturn]] void refuse_cell(const Cell& cell, std::size_t column, bool is_float, const std::string& fault) const;
  std::string dtype_for(const WholeNumber& number) const;
  void require_all_digits(const Cell& cell) const;
  void require_sign(const Cell& cell, const std::string& dtype) const;

  const TableText& text_;
  const std::vector<ColumnKind>& kinds_;
  const TableRows rows_;
  std::vector<Target> targets_;
  std::size_t size_ = 0;
  bool reads_whole_unasked_ = false;                              ///< integers, as some that were seen are no f64
  bool has_decimal_commas_ = false, has_decimal_points_ = false;  ///< numbers in any column, as far as they were seen
};

/// Up to the first row that is read; returns its place among those.
std::size_t ColumnReader::skip_rows(const char*& at, const TableBlock& block) const {
  std::size_t row = block.first_row;
  for (; row < rows_.first && text_.find_row(at, block.end); ++row) text_.skip_row(at, block.end);
  return row - rows_.first;
}

template <class T>
void ColumnReader::parse_numbers(const TableBlock& block, T* out) const {
  const char* at = block.begin;
  const char* const end = block.end;
  const char delimiter = text_.delimiter();
  const std::size_t columns = text_.columns();
  const bool omits = text_.missing() == TableOptions::Missing::omit, has_commas = has_decimal_commas_;
  const char* const text = text_.begin();
  const std::size_t rows = rows_.last - rows_.first;
  for (std::size_t row = skip_rows(at, block);; ++row) {
    // A digit or a sign begins a row of numbers; everything else is looked at closely.
    if (at == end || row == rows) return;
    const bool plain_start = (*at >= '0' && *at <= '9') || *at == '-';
    if ((!plain_start || omits) && !text_.find_row(at, end)) return;
    for (std::size_t column = 0; column < columns; ++column) {
      const Target target = targets_[column];
      if (target.step == 0) {
        text_.take_cell(at, end, column);
      } else {
        CellNumber<T> value{};
        const bool has_room = at - text >= decimal_room_before && end - at >= decimal_room;
        const char* const behind = has_room ? parse_plain_cell(at, end, value) : parse_by_library(at, end, value);
        const bool is_plain = is_value_of<T>(value) && !may_change<T>(value, *at) && !target.is_date && !has_commas;
        if (behind < end && *behind == (column + 1 == columns ? '\n' : delimiter) && is_plain) {
          out[target.first + row * target.step] = element_of<T>(value);
          at = behind + 1;
          continue;
        }
        out[target.first + row * target.step] =
            element_of<T>(target.is_date ? parse_date_cell<T>(at, end, column) : parse_odd_cell<T>(at, end, column));
      }
      text_.take_separator(at, end, column);
    }
  }
}

/// Cells that from_chars does not read at once: blanks, quotes, a plus sign, numbers out of range, missing ones, words,
/// and large numbers and -0, which are refused unless their conversion was requested.
template <class T>
CellNumber<T> ColumnReader::parse_odd_cell(const char*& at, const char* end, std::size_t column) const {
  using Number = CellNumber<T>;
  constexpr bool is_float = std::is_floating_point_v<Number>;
  constexpr const char* integer = std::is_signed_v<Number> ? "i64" : "u64";
  Cell cell = text_.take_cell(at, end, column);
  const std::string with_point = this->with_point(cell);
  if (!with_point.empty()) cell.text = with_point;
  // With blanks as delimiters no cell is empty: the row ended in blanks.
  if (cell.text.empty() && !cell.quoted && text_.delimiter() == ' ') text_.refuse_row(cell.begin, column, "");
  Number value{};
  if (parse_number(cell.text, value) && is_value_of<T>(value)) {
    if (may_change<T>(value, trimmed(cell.text).front()))
      is_float ? require_all_digits(cell) : require_sign(cell, integer);
    return value;
  }
  // Among numbers, a blank and # begin a comment too.
  const bool may_end = !cell.quoted && text_.has_default_comment() && column + 1 == text_.columns();
  if (may_end && parse_number(before_comment(cell.text), value) && is_value_of<T>(value) &&
      !may_change<T>(value, cell.text.front()))
    return value;
  if constexpr (is_float) {
    if (cell.is_missing() && text_.missing() == TableOptions::Missing::nan)
      return std::numeric_limits<Number>::quiet_NaN();
  } else if (parse_whole(cell.text, value) && is_value_of<T>(value)) {
    if (may_change<T>(value, trimmed(cell.text).front())) require_sign(cell, integer);
    return value;
  }
  refuse_cell(cell, column, is_float,
              std::is_same_v<T, Boolean> ? "is not a bool (0 or 1)"
              : is_float                 ? "is not a number"
                                         : "is not a whole number in range");
}

/// A date as its days; integers take whole ones.
template <class T>
CellNumber<T> ColumnReader::parse_date_cell(const char*& at, const char* end, std::size_t column) const {
  using Number = CellNumber<T>;
  constexpr bool is_float = std::is_floating_point_v<Number>;
  const Cell cell = text_.take_cell(at, end, column);
  const std::optional<double> days = days_of_date(cell.text);
  const bool is_missing = !days && cell.is_missing();
  if (is_float && is_missing && text_.missing() == TableOptions::Missing::nan)
    return std::numeric_limits<Number>::quiet_NaN();
  const auto fits = [](double number) {
    return is_float ||
           (std::trunc(number) == number && number >= static_cast<double>(std::numeric_limits<Number>::min()) &&
            number <= static_cast<double>(std::numeric_limits<Number>::max()));
  };
  if (days && fits(*days) && is_value_of<T>(static_cast<Number>(*days))) return static_cast<Number>(*days);
  refuse_cell(cell, column, is_float,
              is_missing ? "is not a date"
              : days     ? "is not a whole number of days in range"
                         : fault_of_date(cell.text));
}

/// The advice for this cell and those of the column that are no dates either: it holds for all of them.
std::string ColumnReader::way_of_cell(const Cell& cell, std::size_t column) const {
  constexpr std::size_t most = 100000;
  std::vector<std::string_view> texts{cell.text};
  for (const TableBlock& block : text_.blocks())
    for (const char* at = block.begin; texts.size() < most && text_.find_row(at, block.end);) {
      const std::vector<Cell> row = text_.take_row(at, block.end);
      if (column < row.size() && !row[column].is_missing() && !is_foreign_missing(row[column].text) &&
          !is_full_date(row[column].text) && !is_number(row[column].text))
        texts.push_back(row[column].text);
    }
  const std::string name = text_.label() + ":/" + text_.name(column);
  // A column of numbers with such a cell is read by no command.
  const std::string way = way_of_dates(texts, kinds_[column].is_date ? name : "");
  return way.empty() ? way_to_number(cell.text, name) : way;
}

/// `fault` completes "'b' in column 'x'".
void ColumnReader::refuse_cell(const Cell& cell, std::size_t column, bool is_float, const std::string& fault) const {
  const bool is_date = kinds_[column].is_date;
  const std::string where = text_.names().empty() ? "" : " in column '" + text_.name(column) + "'";
  const bool is_name = !text_.names().empty() && cell.unescaped() == text_.names()[column];
  const std::string comment = column == 0 ? text_.way_to_comments(cell.begin) : "";
  // A blank as delimiter stands for tabs too.
  const bool may_be_cells = (text_.columns() == 1 && text_.has_default_delimiter()) ||
                            (text_.delimiter() == '\t' && delimiter_of_numbers(cell.text) == ' ');
  const char other = may_be_cells ? delimiter_of_numbers(cell.text) : '\0';
  // Above dates, a word is rather their unit.
  const char* first = text_.blocks().front().begin;
  const bool is_above = is_date && text_.find_row(first, text_.blocks().back().end) &&
                        text_.line_of(first) == text_.line_of(cell.begin) && !is_full_date(cell.text);
  const bool has_digit = cell.text.find_first_of("0123456789") != cell.text.npos;
  const std::string way =
      is_above && !has_digit            ? "remove its line, as sed " + std::to_string(text_.line_of(first)) + "d does"
      : is_date && is_number(cell.text) ? "write it as YEAR-MONTH-DAY"
      : is_number(cell.text)            ? ""
      : is_name                         ? "remove this line, which repeats the header"
      : !comment.empty()                ? comment
      : other != 0                      ? "--delim " + shown_delimiter(other) + " makes cells of it"
      : kinds_[column].is_empty && is_full_date(cell.text)
          ? "the first " + std::to_string(looked_at_rows) +
                " cells of the column are empty, which makes it one of numbers: move a row with a date among them"
      : !is_date && is_full_date(cell.text) ? "write all cells of the column as dates, or all as numbers"
      : is_date && (is_full_date(cell.text) || !is_nearly_number(cell.text)) ? ""
                                                                             : way_of_cell(cell, column);
  const std::string fix = std::string("--missing omit drops its row") + (is_float ? ", --missing nan reads NaN" : "");
  const bool has_no_name = !text_.names().empty() && text_.names()[column].empty();
  const bool omits = text_.missing() == TableOptions::Missing::omit;
  if (cell.text.empty())
    text_.refuse(cell.begin, "an empty cell" + where,
                 (omits ? "--missing nan reads it as missing" : fix) +
                     (has_no_name ? "; to omit a column without a name, name the others" : ""));
  const std::string others = text_.columns() > 1 ? ", or name other columns" : "";
  text_.refuse(cell.begin, shown_text(cell.text) + ' ' + fault + where,
               cell.is_missing() ? fix
               : !way.empty()    ? way
               : is_float        ? "correct it, write NA and give --missing nan, or remove its line (sed " +
                                std::to_string(text_.line_of(cell.begin)) + "d)" + others
                          : "correct it, or choose another dtype");
}

/// A number that has or may have a decimal comma, with a point; else empty. Other numbers with a point are refused
/// where commas were seen: it may separate thousands.
std::string ColumnReader::with_point(const Cell& cell) const {
  if (!text_.reads_decimal_commas() || (has_decimal_points_ && !has_decimal_commas_)) return {};
  if (has_decimal_commas_ && cell.text.find('.') != std::string_view::npos && is_number(cell.text))
    text_.refuse(cell.begin, shown_text(cell.text) + " has a point, and other numbers have a decimal comma",
                 "write all of them alike");
  return with_decimal_point(cell.text);
}

/// "i64', or '# dtype=" where that holds this number and, as far as they were seen, all columns of numbers.
std::string ColumnReader::dtype_for(const WholeNumber& number) const {
  const bool is_signed = number.fits_i64;
  const bool fits_all = std::all_of(kinds_.begin(), kinds_.end(), [is_signed](const ColumnKind& kind) {
    return kind.is_text || (is_signed ? kind.fits_i64 : kind.fits_u64);
  });
  return fits_all ? std::string(is_signed ? "i64" : "u64") + "', or '# dtype=" : "";
}

void ColumnReader::require_all_digits(const Cell& cell) const {
  if (text_.dtype()) return;
  const std::optional<WholeNumber> number = parse_whole_number(cell.text);
  if (number && !number->fits_f64)
    text_.refuse(cell.begin, shown_text(cell.text) + " has more digits than f64 keeps",
                 "begin with a line '# dtype=" + dtype_for(*number) + "f64' to round it");
}

void ColumnReader::require_sign(const Cell& cell, const std::string& dtype) const {
  if (reads_whole_unasked_)
    text_.refuse(cell.begin, shown_text(cell.text) + " has a sign that " + dtype + " does not keep",
                 "begin with a line '# dtype=" + dtype + "' to read 0, or '# dtype=f64' to round the others");
}

void ColumnReader::parse_strings(const TableBlock& block, std::string* out, TextMemory& texts) const {
  const char* at = block.begin;
  const std::size_t rows = rows_.last - rows_.first;
  for (std::size_t row = skip_rows(at, block); row < rows && text_.find_row(at, block.end); ++row) {
    for (std::size_t column = 0; column < text_.columns(); ++column) {
      const Cell cell = text_.take_cell(at, block.end, column);
      if (const Target target = targets_[column]; target.step != 0) {
        if (!cell.quoted && is_number(cell.text) && text_.dtype() != DType::string)
          text_.refuse(cell.begin, shown_text(cell.text) + " is a number among words",
                       "put it in quotes to read it as text");
        if (kinds_[column].has_decimal_commas) text_.refuse_decimal_comma(cell);
        text_.require_text(cell);
        texts.add_text(cell.text.size());
        out[target.first + row * target.step] = cell.unescaped();
      }
      text_.take_separator(at, block.end, column);
    }
  }
}

/// Observations of the first cells of a column.
class Observed {
 public:
  void see(const Cell& cell, const TableText& text) {
    const bool has_comma = text.reads_decimal_commas() && has_decimal_comma(cell.text);
    if (odd_.begin == nullptr && (cell.quoted || !(has_comma || is_number(cell.text)))) odd_ = cell;
    if (has_comma || is_number(cell.text)) {
      (cell.quoted ? has_quoted_number_ : has_number_) = true;
      see_number(cell.text);
      if (has_comma) see_comma(cell);
      has_point_ |= !has_comma && cell.text.find('.') != std::string_view::npos;
    } else if (cell.is_missing()) {
      has_missing_ = true;
      has_quoted_missing_ |= cell.quoted;
    } else {
      // One word above dates may be their unit or their form.
      const bool is_date = words_without_date_ < 2 && is_full_date(cell.text);
      begins_with_date_ |= is_date && !has_word_;
      has_date_ |= is_date;
      words_without_date_ += is_date ? 0 : 1;
      has_word_ = true;
      has_other_word_ |= cell.quoted || text.delimiter() == ',' || !has_decimal_comma(cell.text);
    }
  }
  ColumnKind kind(const TableText& text, bool quotes_mean_text) const {
    ColumnKind kind;
    kind.odd = odd_;
    kind.is_empty = !has_number_ && !has_quoted_number_ && !has_word_;
    const bool missing_are_text = has_quoted_missing_ && text.missing() != TableOptions::Missing::nan;
    const bool has_text = has_word_ || (quotes_mean_text && (has_quoted_number_ || missing_are_text));
    kind.is_text = text.dtype() == DType::string || (has_text && !has_number_);
    const bool are_dates = begins_with_date_ || (has_date_ && words_without_date_ == 1);
    kind.is_date = are_dates && !has_number_ && text.dtype() != DType::string;
    kind.has_decimal_commas = text.dtype() != DType::string && (has_comma_ || (has_word_ && !has_other_word_));
    kind.has_decimal_points = has_point_;
    if (!has_sure_comma_) kind.thousands = thousands_;
    const bool becomes_nan = has_missing_ && text.missing() == TableOptions::Missing::nan;
    kind.fits_i64 = fits_i64_ && !becomes_nan && !kind.is_date;
    kind.fits_u64 = fits_u64_ && !becomes_nan && !kind.is_date;
    kind.exceeds_f64 = exceeds_f64_ && (kind.fits_i64 || kind.fits_u64);
    return kind;
  }

 private:
  void see_number(std::string_view text) {
    if (!fits_i64_ && !fits_u64_) return;
    const std::optional<WholeNumber> whole = parse_whole_number(text);
    fits_i64_ &= whole && whole->fits_i64;
    fits_u64_ &= whole && whole->fits_u64;
    exceeds_f64_ |= whole && !whole->fits_f64;
  }

  void see_comma(const Cell& cell) {
    has_comma_ = true;
    const std::size_t comma = cell.text.find(','), digits = cell.text.find_first_of("0123456789");
    const bool may_separate = cell.text[digits] != '0' && comma - digits <= 3 && comma + 4 == cell.text.size();
    has_sure_comma_ |= !may_separate;
    if (thousands_.begin == nullptr) thousands_ = cell;
  }

  Cell odd_, thousands_;
  bool has_comma_ = false, has_sure_comma_ = false, has_point_ = false;
  bool has_number_ = false, has_quoted_number_ = false, has_missing_ = false, has_quoted_missing_ = false;
  bool has_word_ = false, has_other_word_ = false;  // a word that has no decimal comma
  bool begins_with_date_ = false, has_date_ = false;
  std::size_t words_without_date_ = 0;  // up to 2
  bool fits_i64_ = true, fits_u64_ = true, exceeds_f64_ = false;
};

}  // namespace

std::uint64_t pages_of_long_rows(const TableText& text, const Execution& execution) {
  std::vector<std::uint64_t> pages;
  for (const TableBlock& block : text.blocks()) {
    const auto bytes = static_cast<std::size_t>(block.end - block.begin);
    if (bytes > smallest_long && lies_in_mapped_file(block.begin, bytes)) pages.push_back(bytes);
  }
  std::sort(pages.begin(), pages.end(), std::greater<>());
  const std::size_t at_once = execution.pool != nullptr ? execution.pool->threads() : 1;
  return std::accumulate(pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(std::min(at_once, pages.size())),
                         std::uint64_t{0});
}

std::vector<ColumnKind> kinds_of_columns(const TableText& text) {
  std::vector<Observed> observed(text.columns());
  const char* first = nullptr;
  bool has_plain_cell = false;  // without quotes, and not missing
  if (!text.blocks().empty()) {
    const char* at = text.blocks().front().begin;
    const char* const end = text.blocks().back().end;
    for (std::size_t row = 0; row < looked_at_rows && text.find_row(at, end); ++row) {
      if (first == nullptr) first = at;
      const std::vector<Cell> cells = text.take_row(at, end);
      for (std::size_t column = 0; column < std::min(cells.size(), text.columns()); ++column) {
        const Cell& cell = cells[column];
        observed[column].see(cell, text);
        has_plain_cell |= !cell.quoted && (is_number(cell.text) || !cell.is_missing());
      }
    }
    for (const TableBlock& block : text.blocks())
      if (block.begin<at&& static_cast<std::size_t>(block.end - block.begin)> smallest_long) block.passed();
  }
  std::vector<ColumnKind> kinds;
  for (const Observed& column : observed) kinds.push_back(column.kind(text, has_plain_cell && !text.dtype()));
  if (text.columns() != 1 || !kinds.front().is_text || text.dtype() == DType::string || !text.has_default_delimiter() ||
      first == nullptr)
    return kinds;
  if (const char other = text.delimiter_of_rows(first); other != 0)
    text.refuse(first, "the rows have numbers separated by " + shown_delimiter(other),
                "--delim " + shown_delimiter(other) + " makes cells of them, --delim " +
                    shown_delimiter(text.delimiter()) + " one text");
  return kinds;
}

std::vector<TensorView> read_columns(const TableText& text, const std::vector<ColumnKind>& kinds,
                                     const std::vector<std::vector<std::size_t>>& tensors, DType dtype, TableRows rows,
                                     const Execution& execution) {
  const ColumnReader reader(text, kinds, tensors, rows);
  const std::uint64_t beside = dtype == DType::string ? pages_of_long_rows(text, execution) : 0;
  const std::shared_ptr<const void> counted = memory_account().take(beside, text.label());
  Tensor all(dtype, {reader.size()});
  TextMemory texts(text.label());
  std::mutex mutex;
  visit_dtype(dtype, [&](auto element) {
    using T = decltype(element);
    T* const out = all.data_as<T>();
    execution.parallel_with_progress(reader.blocks(), [&](std::size_t i, std::size_t) {
      const TableBlock& block = reader.block(i);
      if constexpr (std::is_same_v<T, std::string>) {
        TextMemory of_block(text.label());
        reader.parse_strings(block, out, of_block);
        const std::lock_guard<std::mutex> lock(mutex);
        texts.absorb(std::move(of_block));
      } else {
        reader.parse_numbers(block, out);
      }
      block.passed();
    });
  });
  const TensorView read = dtype == DType::string ? std::move(texts).held_by(all.view()) : all.view();
  std::vector<TensorView> results;
  std::int64_t first = 0;
  for (const std::vector<std::size_t>& columns : tensors) {
    AxisSlab own;
    own.start = first;
    own.stop = first += static_cast<std::int64_t>((rows.last - rows.first) * columns.size());
    results.push_back(reshaped(slice(read, {own}), {rows.last - rows.first, columns.size()}));
  }
  return results;
}

}  // namespace attn::io
