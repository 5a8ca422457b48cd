#include <attn/core/error.hpp>
#include <attn/io/other_delimiter.hpp>
#include <attn/io/table_columns.hpp>
#include <attn/io/table_numbers.hpp>

#include <algorithm>
#include <limits>

namespace attn::io {
namespace {

/// For each column of the text, its place in the result or none.
constexpr std::size_t skipped = std::numeric_limits<std::size_t>::max();
using Selection = std::vector<std::size_t>;

std::string start_of(std::string_view cell) { return "'" + std::string(cell.substr(0, 40)) + "'"; }

class ColumnReader {
 public:
  ColumnReader(const TableText& text, const std::vector<ColumnKind>& kinds, const std::vector<std::size_t>& columns)
      : text_(text), kinds_(kinds), selection_(text.columns(), skipped), width_(columns.size()) {
    for (std::size_t place = 0; place < columns.size(); ++place) {
      std::size_t& target = selection_[columns[place]];
      if (target != skipped)
        throw Error(ErrorKind::usage, text.label(), "column '" + text.name(columns[place]) + "' is named twice");
      target = place;
    }
  }

  template <class T>
  void parse_numbers(const TableBlock& block, T* out) const;
  void parse_strings(const TableBlock& block, std::string* out) const;

 private:
  template <class T>
  CellNumber<T> parse_odd_cell(const char*& at, const char* end, std::size_t column) const;

  const TableText& text_;
  const std::vector<ColumnKind>& kinds_;
  Selection selection_;
  std::size_t width_;
};

template <class T>
void ColumnReader::parse_numbers(const TableBlock& block, T* out) const {
  const char* at = block.begin;
  const char* const end = block.end;
  const char delimiter = text_.delimiter();
  const std::size_t columns = text_.columns();
  const bool omits = text_.missing() == TableOptions::Missing::omit;
  const char* const text = text_.begin();
  T* row = out + block.first_row * width_;
  for (;; row += width_) {
    // A digit or a sign begins a row of numbers; everything else is looked at closely.
    if (at == end) return;
    const bool plain_start = (*at >= '0' && *at <= '9') || *at == '-';
    if ((!plain_start || omits) && !text_.find_row(at, end)) return;
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t place = selection_[column];
      if (place == skipped) {
        text_.take_cell(at, end);
      } else {
        CellNumber<T> value{};
        const bool has_room = at - text >= decimal_room_before && end - at >= decimal_room;
        const char* const behind = has_room ? parse_plain_cell(at, end, value) : parse_by_library(at, end, value);
        if (behind < end && *behind == (column + 1 == columns ? '\n' : delimiter) && is_value_of<T>(value)) {
          row[place] = element_of<T>(value);
          at = behind + 1;
          continue;
        }
        row[place] = element_of<T>(parse_odd_cell<T>(at, end, column));
      }
      text_.take_separator(at, end, column);
    }
  }
}

/// Cells that from_chars does not read at once: blanks, quotes, a plus sign, numbers out of range, missing ones, words.
template <class T>
CellNumber<T> ColumnReader::parse_odd_cell(const char*& at, const char* end, std::size_t column) const {
  using Number = CellNumber<T>;
  constexpr bool is_float = std::is_floating_point_v<Number>;
  const Cell cell = text_.take_cell(at, end);
  Number value{};
  if (parse_number(cell.text, value) && is_value_of<T>(value)) return value;
  const bool missing = cell.is_missing();
  if constexpr (is_float) {
    if (missing && text_.missing() == TableOptions::Missing::nan) return std::numeric_limits<Number>::quiet_NaN();
  } else if (parse_whole(cell.text, value) && is_value_of<T>(value)) {
    return value;
  }
  const std::string where = text_.names().empty() ? "" : " in column '" + text_.name(column) + "'";
  const char* const fix = is_float ? "--missing nan or omit reads it as missing" : "--missing omit leaves its row out";
  if (cell.text.empty()) text_.refuse(cell.begin, "an empty cell" + where, fix);
  const char* const expected = std::is_same_v<T, Boolean> ? " is no bool, 0 or 1,"
                               : is_float                 ? " is not a number"
                                                          : " is not a whole number in range";
  text_.refuse(cell.begin, start_of(cell.text) + expected + where,
               missing                        ? fix
               : has_decimal_comma(cell.text) ? "the decimal sign is a point"
                                              : "");
}

void ColumnReader::parse_strings(const TableBlock& block, std::string* out) const {
  const char* at = block.begin;
  for (std::string* row = out + block.first_row * width_; text_.find_row(at, block.end); row += width_) {
    for (std::size_t column = 0; column < text_.columns(); ++column) {
      const Cell cell = text_.take_cell(at, block.end);
      if (selection_[column] != skipped) {
        if (!cell.quoted && is_number(cell.text))
          text_.refuse(cell.begin, start_of(cell.text) + " is a number among words",
                       "put it in quotes to read it as text");
        if (kinds_[column].has_decimal_commas) text_.refuse_decimal_comma(cell);
        text_.require_text(cell);
        row[selection_[column]] = cell.unescaped();
      }
      text_.take_separator(at, block.end, column);
    }
  }
}

}  // namespace

std::vector<ColumnKind> kinds_of_columns(const TableText& text) {
  constexpr std::size_t sample = 1000;
  struct Seen {
    bool number = false, word = false, other_word = false;  ///< a word that has no decimal comma
  };
  std::vector<Seen> seen(text.columns());
  OtherDelimiter other;
  const char* first = nullptr;
  if (!text.blocks().empty()) {
    const char* at = text.blocks().front().begin;
    const char* const end = text.blocks().front().end;
    for (std::size_t row = 0; row < sample && text.find_row(at, end); ++row) {
      if (first == nullptr) first = at;
      const std::vector<Cell> cells = text.take_row(at, end);
      for (std::size_t column = 0; column < std::min(cells.size(), text.columns()); ++column) {
        const Cell& cell = cells[column];
        if (is_number(cell.text)) {
          seen[column].number = seen[column].number || !cell.quoted;
        } else if (!cell.is_missing()) {
          seen[column].word = true;
          seen[column].other_word =
              seen[column].other_word || cell.quoted || text.delimiter() == ',' || !has_decimal_comma(cell.text);
        }
      }
      if (text.columns() == 1 && text.has_default_delimiter()) other.see(cells.front());
    }
  }
  std::vector<ColumnKind> kinds(text.columns());
  for (std::size_t column = 0; column < text.columns(); ++column) {
    const Seen& s = seen[column];
    kinds[column].is_text = s.word && !s.number;
    kinds[column].has_decimal_commas = s.word && !s.other_word;
  }
  if (text.columns() == 1 && kinds.front().is_text && other.found() != 0)
    text.refuse(first, "the rows have numbers with " + shown_delimiter(other.found()) + " between",
                "--delim " + shown_delimiter(other.found()) + " makes cells of them, --delim " +
                    shown_delimiter(text.delimiter()) + " one text");
  return kinds;
}

TensorView read_columns(const TableText& text, const std::vector<ColumnKind>& kinds,
                        const std::vector<std::size_t>& columns, DType dtype, const Execution& execution) {
  const ColumnReader reader(text, kinds, columns);
  Tensor table(dtype, {text.rows(), columns.size()});
  visit_dtype(dtype, [&](auto element) {
    using T = decltype(element);
    T* const out = table.data_as<T>();
    execution.parallel_with_progress(text.blocks().size(), [&](std::size_t i, std::size_t) {
      if constexpr (std::is_same_v<T, std::string>)
        reader.parse_strings(text.blocks()[i], out);
      else
        reader.parse_numbers(text.blocks()[i], out);
    });
  });
  return table.view(text.label());
}

}  // namespace attn::io
