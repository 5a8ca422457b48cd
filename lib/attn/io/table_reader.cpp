// CSV and TSV into tensors. Rows are samples, always: a table is (rows, columns), and so is any choice of its columns.

#include <attn/core/error.hpp>
#include <attn/core/values.hpp>
#include <attn/io/elements.hpp>
#include <attn/io/formats.hpp>
#include <attn/io/number_text.hpp>
#include <attn/io/table_columns.hpp>

#include <algorithm>

namespace attn::io {
namespace {

constexpr const char* whole_table = "table";

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
        kinds_(kinds_of_columns(text_)),
        execution_(execution_of(options)),
        limit_(options.memory) {
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
    return {{"columns", vector_of(names)}};
  }

  TensorView read(const std::string& name, const Slab& part) override { return read(resolve_name(name), part); }

 private:
  struct Request {
    TensorInfo info;
    std::vector<std::size_t> columns;
    bool is_whole = false;
  };

  std::optional<TensorView> read_whole_numbers(const std::string& name, const Slab& part, DType dtype) override {
    Request request = resolve_name(name);
    if (text_.shape() || request.info.dtype != DType::f64) return std::nullopt;
    request.info.dtype = dtype;
    try {
      return read(request, part);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      return std::nullopt;
    }
  }
  TensorView read(const Request& request, const Slab& part) const;
  DType numbers() const noexcept { return text_.dtype() == DType::string ? DType::f64 : text_.dtype(); }
  std::string unique_name(std::size_t column) const;
  void list_tensors_of_table();
  Request resolve_name(const std::string& name) const;
  std::size_t find_column(std::string_view name, const std::string& whole) const;
  Request choose(std::vector<std::size_t> columns, const std::string& name) const;

  Bytes bytes_;
  TableText text_;
  std::vector<ColumnKind> kinds_;
  Execution execution_;
  MemoryLimit limit_;
  std::vector<TensorInfo> tensors_;
};

/// The name of a column that no other has, else its number.
std::string TableSource::unique_name(std::size_t column) const {
  const auto& names = text_.names();
  const std::string number = std::to_string(column);
  if (names.empty()) return number;
  if (!names[column].empty() && std::count(names.begin(), names.end(), names[column]) == 1) return names[column];
  if (std::find(names.begin(), names.end(), number) == names.end()) return number;
  throw Error(ErrorKind::data, label(),
              "has a column '" + number + "' beside column " + number + ", which lacks a name of its own",
              "give each a name of its own in the header");
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
  const auto texts = static_cast<std::size_t>(
      std::count_if(kinds_.begin(), kinds_.end(), [](const ColumnKind& kind) { return kind.is_text; }));
  if (texts == 0 || texts == text_.columns()) {
    tensors_ = {{whole_table, texts == 0 ? numbers() : DType::string, {text_.rows(), text_.columns()}}};
    return;
  }
  for (std::size_t column = 0; column < text_.columns(); ++column)
    tensors_.push_back({unique_name(column), kinds_[column].is_text ? DType::string : numbers(), {text_.rows(), 1}});
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
  const bool is_text = kinds_[columns.front()].is_text;
  for (const std::size_t column : columns)
    if (kinds_[column].is_text != is_text)
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
  TensorView table = renamed(read_columns(text_, kinds_, request.columns, request.info.dtype, execution_), full);
  if (request.is_whole && text_.shape()) table = reshaped(table, *text_.shape());
  const TensorView chosen = slice(table, part);
  if (chosen.size() == table.size()) return chosen;
  // A part of its own, so that the rest of the table can go.
  limit_.require(table.bytes() + chosen.bytes(), full);
  return copied(chosen);
}

}  // namespace

std::unique_ptr<Source> open_table(std::unique_ptr<ByteInput> input, const InputOptions& options) {
  return std::make_unique<TableSource>(std::move(input), options);
}

}  // namespace attn::io
