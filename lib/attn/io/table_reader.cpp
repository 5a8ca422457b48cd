// CSV and TSV into tensors. Rows are samples, always: a table is (rows, columns), and so is any choice of its columns.

#include <attn/core/error.hpp>
#include <attn/io/elements.hpp>
#include <attn/io/formats.hpp>
#include <attn/io/number_text.hpp>
#include <attn/io/table_numbers.hpp>
#include <attn/io/table_text.hpp>
#include <attn/io/whole_numbers.hpp>

#include <algorithm>
#include <limits>

namespace attn::io {
namespace {

constexpr const char* whole_table = "table";

/// For each column of the text, its place in the result or none.
constexpr std::size_t skipped = std::numeric_limits<std::size_t>::max();
using Selection = std::vector<std::size_t>;

/// A name without the slashes at its ends.
std::string_view inner(std::string_view name) noexcept {
  while (!name.empty() && name.front() == '/') name.remove_prefix(1);
  while (!name.empty() && name.back() == '/') name.remove_suffix(1);
  return name;
}

Execution execution_of(const InputOptions& options) {
  Execution execution;
  execution.pool = options.pool;
  execution.progress = options.progress;
  return execution;
}

class TableSource final : public Source {
 public:
  TableSource(std::unique_ptr<ByteInput> input, const InputOptions& options)
      : bytes_(input->take_rest()),
        text_(bytes_.text(), input->label(), options.table, options.pool),
        execution_(execution_of(options)),
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

  TensorView read(const std::string& name, const Slab& part) override { return read(resolve_name(name), part); }

  /// Nothing where the text says what its numbers are, and where one of them is not whole.
  std::optional<TensorView> read_whole_numbers(const std::string& name, const Slab& part, DType dtype) {
    Request request = resolve_name(name);
    const bool is_wide = dtype == DType::i64 || dtype == DType::u64;
    if (!is_wide || text_.shape() || request.info.dtype != DType::f64) return std::nullopt;
    request.info.dtype = dtype;
    try {
      return read(request, part);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      return std::nullopt;
    }
  }

 private:
  struct Request {
    TensorInfo info;
    std::vector<std::size_t> columns;
    bool is_whole = false;
  };

  TensorView read(const Request& request, const Slab& part) const;
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
    execution_.parallel_with_progress(blocks.size(), [&](std::size_t i, std::size_t) { body(blocks[i]); });
  }

  template <class T>
  void parse_numbers(const TableBlock& block, const Selection& selection, std::size_t width, T* out) const;
  template <class T>
  T parse_odd_cell(const char*& at, const char* end, std::size_t column) const;
  void parse_strings(const TableBlock& block, const Selection& selection, std::size_t width, std::string* out) const;

  Bytes bytes_;
  TableText text_;
  Execution execution_;
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

TensorView TableSource::read(const Request& request, const Slab& part) const {
  const std::string full = request.is_whole ? label() : label() + ":/" + request.info.name;
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

std::optional<TensorView> read_whole_numbers(Source& source, const std::string& name, const Slab& part, DType dtype) {
  auto* const table = dynamic_cast<TableSource*>(&source);
  return table == nullptr ? std::nullopt : table->read_whole_numbers(name, part, dtype);
}

}  // namespace attn::io
