// CSV and TSV into tensors. Rows are samples, always: a table is (rows, columns), and so is any choice of its columns.

#include <attn/core/error.hpp>
#include <attn/io/decimal.hpp>
#include <attn/io/elements.hpp>
#include <attn/io/formats.hpp>
#include <attn/io/number_text.hpp>
#include <attn/io/table_text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace attn::io {
namespace {

constexpr const char* whole_table = "table";

/// For each column of the text, its place in the result or none.
constexpr std::size_t skipped = std::numeric_limits<std::size_t>::max();
using Selection = std::vector<std::size_t>;

/// What a cell is read as: the 16-bit floats are rounded once, from doubles.
template <class T>
using CellNumber = std::conditional_t<std::is_arithmetic_v<T>, T,
                                      std::conditional_t<std::is_same_v<T, Boolean>, std::int64_t, double>>;

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

/// The end of the number that begins at `at`; `end` when std::from_chars does not read one.
template <class T>
const char* parse_by_library(const char* at, const char* end, T& value) noexcept {
  const auto result = std::from_chars(at, end, value);
  return result.ec == std::errc() ? result.ptr : end;
}

/// The same, where read_decimal() has the room to look around.
template <class T>
const char* parse_plain_cell(const char* at, const char* end, T& value) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    const char* const behind = read_decimal(at, value);
    if (behind != nullptr) return behind;
  }
  return parse_by_library(at, end, value);
}

/// A whole number with a point or an exponent, such as 3.0 or 1e3, where doubles hold every whole number.
template <class T>
bool parse_whole(std::string_view text, T& value) noexcept {
  constexpr double last = 9007199254740992.0;
  double wide = 0;
  if (!parse_number(text, wide) || std::trunc(wide) != wide || std::abs(wide) > last) return false;
  if (wide < static_cast<double>(std::numeric_limits<T>::min()) ||
      wide > static_cast<double>(std::numeric_limits<T>::max()))
    return false;
  value = static_cast<T>(wide);
  return true;
}

/// A name without the slashes at its ends.
std::string_view inner(std::string_view name) noexcept {
  while (!name.empty() && name.front() == '/') name.remove_prefix(1);
  while (!name.empty() && name.back() == '/') name.remove_suffix(1);
  return name;
}

class TableSource final : public Source {
 public:
  TableSource(std::unique_ptr<ByteInput> input, const InputOptions& options)
      : bytes_(input->take_rest()),
        text_(bytes_.text(), input->label(), options.table, options.pool),
        pool_(options.pool),
        limit_(options.memory) {
    find_text_columns();
    list_tensors_of_table();
  }

  const std::string& label() const noexcept override { return text_.label(); }
  Buffer buffer() const noexcept override { return {bytes_.data, bytes_.size, bytes_.is_mapped}; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  TensorInfo describe(const std::string& name) const override { return resolve_name(name).info; }
  /// `columns`: what the header calls the columns of a matrix, so that they keep their names in other formats.
  Attributes attributes(const std::string& name) const override {
    if (name.empty()) return {};
    const Request request = resolve_name(name);
    if (text_.names().empty() || request.info.shape.size() != 2) return {};
    std::vector<std::string> names;
    for (const std::size_t column : request.columns) names.push_back(text_.names()[column]);
    return {{"columns", names}};
  }

  TensorView read(const std::string& name, const Slab& part) override {
    const Request request = resolve_name(name);
    const std::string full = request.is_whole ? label() : label() + ":/" + name;
    const std::size_t width = element_size(request.info.dtype);
    limit_.require(stored_bytes({text_.rows(), request.columns.size()}, width, full), full);
    TensorView table = renamed(read_columns(request), full);
    if (request.is_whole && text_.shape()) table = reshaped(table, *text_.shape());
    const TensorView chosen = slice(table, part);
    if (chosen.size() == table.size()) return chosen;
    // A part of its own, so that the rest of the table can go.
    limit_.require(table.bytes() + chosen.bytes(), full);
    return copied(chosen);
  }

 private:
  struct Request {
    TensorInfo info;
    std::vector<std::size_t> columns;
    bool is_whole = false;
  };

  DType numbers() const noexcept { return text_.dtype() == DType::string ? DType::f64 : text_.dtype(); }
  void find_text_columns();
  void list_tensors_of_table();
  Request resolve_name(const std::string& name) const;
  std::size_t find_column(std::string_view name, const std::string& whole) const;
  Request choose(std::vector<std::size_t> columns, const std::string& name) const;
  TensorView read_columns(const Request& request) const;

  template <class Body>
  void for_each_block(Body&& body) const {
    const auto& blocks = text_.blocks();
    const auto task = [&](std::size_t i, std::size_t) { body(blocks[i]); };
    if (pool_ != nullptr) return pool_->run(blocks.size(), task);
    for (std::size_t i = 0; i < blocks.size(); ++i) task(i, 0);
  }

  template <class T>
  void parse_numbers(const TableBlock& block, const Selection& selection, std::size_t width, T* out) const;
  template <class T>
  T parse_odd_cell(const char*& at, const char* end, std::size_t column) const;
  void parse_strings(const TableBlock& block, const Selection& selection, std::size_t width, std::string* out) const;

  Bytes bytes_;
  TableText text_;
  ThreadPool* pool_;
  MemoryLimit limit_;
  std::vector<bool> is_text_;
  std::vector<TensorInfo> tensors_;
};

/// A column is text when none of its cells is a number, as far as the first rows show; quotes make a number text among
/// words. Anything else is a column of numbers, and a word in it will be refused.
void TableSource::find_text_columns() {
  constexpr std::size_t sample = 1000;
  std::vector<bool> has_number(text_.columns(), false), has_word(text_.columns(), false);
  if (!text_.blocks().empty()) {
    const char* at = text_.blocks().front().begin;
    const char* const end = text_.blocks().front().end;
    for (std::size_t row = 0; row < sample && text_.find_row(at, end); ++row) {
      const std::vector<Cell> cells = text_.take_row(at, end);
      for (std::size_t column = 0; column < std::min(cells.size(), text_.columns()); ++column) {
        const Cell& cell = cells[column];
        if (is_number(cell.text))
          has_number[column] = has_number[column] || !cell.quoted;
        else if (!cell.is_missing())
          has_word[column] = true;
      }
    }
  }
  is_text_.resize(text_.columns());
  for (std::size_t column = 0; column < text_.columns(); ++column)
    is_text_[column] = has_word[column] && !has_number[column];
}

/// A table of one kind is one dataset; words and numbers side by side are a dataset for each column.
void TableSource::list_tensors_of_table() {
  if (text_.shape()) {
    const std::size_t claimed = stored_bytes(*text_.shape(), 1, label()), cells = text_.rows() * text_.columns();
    if (claimed != cells)
      throw Error(ErrorKind::data, label(),
                  "has " + std::to_string(cells) + " cells, expected those of shape " + to_string(*text_.shape()));
    tensors_ = {{whole_table, text_.dtype(), *text_.shape()}};
    return;
  }
  const auto texts = static_cast<std::size_t>(std::count(is_text_.begin(), is_text_.end(), true));
  if (texts == 0 || texts == text_.columns()) {
    tensors_ = {{whole_table, texts == 0 ? numbers() : DType::string, {text_.rows(), text_.columns()}}};
    return;
  }
  for (std::size_t column = 0; column < text_.columns(); ++column)
    tensors_.push_back({text_.name(column), is_text_[column] ? DType::string : numbers(), {text_.rows(), 1}});
}

std::size_t TableSource::find_column(std::string_view name, const std::string& whole) const {
  const auto& names = text_.names();
  // An operand has lost the slashes around its dataset.
  const bool is_there = std::find(names.begin(), names.end(), name) != names.end();
  const auto is_meant = [&](std::string_view known) { return known == name || (!is_there && inner(known) == name); };
  const auto found = std::find_if(names.begin(), names.end(), is_meant);
  if (found != names.end()) {
    if (std::find_if(found + 1, names.end(), is_meant) != names.end())
      throw Error(ErrorKind::input, label(), "has several columns '" + std::string(name) + "'",
                  "name it by its number, from 0");
    return static_cast<std::size_t>(found - names.begin());
  }
  std::uint64_t number = 0;
  if (name.find_first_not_of("0123456789") == std::string_view::npos && parse_number(name, number) &&
      number < text_.columns())
    return number;
  std::string known;
  for (std::size_t column = 0; column < text_.columns(); ++column)
    known += (column > 0 ? ", " : "") + text_.name(column);
  throw Error(ErrorKind::input, label(),
              "has no column '" + std::string(name) + "'" + (name == whole ? "" : " (of '" + whole + "')"),
              "it has " + known);
}

TableSource::Request TableSource::resolve_name(const std::string& name) const {
  if (name == whole_table && tensors_.size() == 1 && tensors_.front().name == whole_table) {
    Request request{tensors_.front(), std::vector<std::size_t>(text_.columns()), true};
    for (std::size_t column = 0; column < text_.columns(); ++column) request.columns[column] = column;
    return request;
  }
  const auto& names = text_.names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return choose({find_column(name, name)}, name);
  std::vector<std::size_t> columns;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = name.find(',', begin);
    columns.push_back(find_column(trimmed(std::string_view(name).substr(begin, comma - begin)), name));
    if (comma == std::string::npos) break;
    begin = comma + 1;
  }
  return choose(std::move(columns), name);
}

TableSource::Request TableSource::choose(std::vector<std::size_t> columns, const std::string& name) const {
  const bool is_text = is_text_[columns.front()];
  for (const std::size_t column : columns)
    if (is_text_[column] != is_text)
      throw Error(ErrorKind::data, label() + ":/" + name,
                  "has words in column '" + text_.name(is_text ? columns.front() : column) + "' and numbers in others",
                  "name columns of one kind");
  Request request{
      {name, is_text ? DType::string : numbers(), {text_.rows(), columns.size()}}, std::move(columns), false};
  return request;
}

TensorView TableSource::read_columns(const Request& request) const {
  Selection selection(text_.columns(), skipped);
  for (std::size_t place = 0; place < request.columns.size(); ++place) {
    std::size_t& target = selection[request.columns[place]];
    if (target != skipped)
      throw Error(ErrorKind::usage, label(), "column '" + text_.name(request.columns[place]) + "' is named twice");
    target = place;
  }
  const std::size_t width = request.columns.size();
  Tensor table(request.info.dtype, {text_.rows(), width});
  visit_dtype(table.dtype(), [&](auto element) {
    using T = decltype(element);
    T* const out = table.data_as<T>();
    for_each_block([&](const TableBlock& block) {
      if constexpr (std::is_same_v<T, std::string>)
        parse_strings(block, selection, width, out);
      else
        parse_numbers(block, selection, width, out);
    });
  });
  return table.view(label());
}

template <class T>
void TableSource::parse_numbers(const TableBlock& block, const Selection& selection, std::size_t width, T* out) const {
  const char* at = block.begin;
  const char* const end = block.end;
  const char delimiter = text_.delimiter();
  const std::size_t columns = text_.columns();
  const bool omits = text_.missing() == TableOptions::Missing::omit;
  const char* const text = bytes_.text().data();
  T* row = out + block.first_row * width;
  for (;; row += width) {
    // A digit or a sign begins a row of numbers; everything else is looked at closely.
    if (at == end) return;
    const bool plain_start = (*at >= '0' && *at <= '9') || *at == '-';
    if ((!plain_start || omits) && !text_.find_row(at, end)) return;
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t place = selection[column];
      if (place == skipped) {
        text_.take_cell(at, end);
      } else {
        CellNumber<T> value{};
        const bool has_room = at - text >= decimal_room_before && end - at >= decimal_room;
        const char* const behind = has_room ? parse_plain_cell(at, end, value) : parse_by_library(at, end, value);
        if (behind < end && *behind == (column + 1 == columns ? '\n' : delimiter)) {
          row[place] = element_of<T>(value);
          at = behind + 1;
          continue;
        }
        row[place] = element_of<T>(parse_odd_cell<CellNumber<T>>(at, end, column));
      }
      text_.take_separator(at, end, column);
    }
  }
}

/// Cells that from_chars does not read at once: blanks, quotes, a plus sign, numbers out of range, missing ones, words.
template <class T>
T TableSource::parse_odd_cell(const char*& at, const char* end, std::size_t column) const {
  const Cell cell = text_.take_cell(at, end);
  T value{};
  if (parse_number(cell.text, value)) return value;
  const bool missing = cell.is_missing();
  if constexpr (std::is_floating_point_v<T>) {
    if (missing && text_.missing() == TableOptions::Missing::nan) return std::numeric_limits<T>::quiet_NaN();
  } else if (parse_whole(cell.text, value)) {
    return value;
  }
  const std::string where = text_.names().empty() ? "" : " in column '" + text_.name(column) + "'";
  const char* const fix =
      std::is_floating_point_v<T> ? "--missing nan or omit reads it as missing" : "--missing omit leaves its row out";
  if (cell.text.empty()) text_.refuse(cell.begin, "an empty cell" + where, fix);
  const std::string expected = std::is_floating_point_v<T> ? "' is not a number" : "' is not a whole number in range";
  text_.refuse(cell.begin, "'" + std::string(cell.text.substr(0, 40)) + expected + where, missing ? fix : "");
}

void TableSource::parse_strings(const TableBlock& block, const Selection& selection, std::size_t width,
                                std::string* out) const {
  const char* at = block.begin;
  for (std::string* row = out + block.first_row * width; text_.find_row(at, block.end); row += width) {
    for (std::size_t column = 0; column < text_.columns(); ++column) {
      const Cell cell = text_.take_cell(at, block.end);
      if (selection[column] != skipped) {
        if (!cell.quoted && is_number(cell.text))
          text_.refuse(cell.begin, "'" + std::string(cell.text.substr(0, 40)) + "' is a number among words",
                       "put it in quotes to read it as text");
        text_.require_text(cell);
        row[selection[column]] = cell.unescaped();
      }
      text_.take_separator(at, block.end, column);
    }
  }
}

}  // namespace

std::unique_ptr<Source> open_table(std::unique_ptr<ByteInput> input, const InputOptions& options) {
  return std::make_unique<TableSource>(std::move(input), options);
}

}  // namespace attn::io
