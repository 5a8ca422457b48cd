// Tensors into CSV and TSV: rows are samples, numbers are the shortest text that reads back as it was.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/table/columns.hpp>
#include <attn/io/table/parser.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace attn::io {
namespace {

/// The part of each row from one tensor: `columns` elements from row * columns on.
struct Part : HeaderPart {
  TensorView tensor;
  std::size_t rows = 0;
};

/// Growing text: digits are written in place, long texts are referenced without a copy. On its own cache lines: each
/// cell moves its end, and threads with neighbouring blocks would contend for a line at each cell.
class alignas(64) TextBlock {
 public:
  void clear() noexcept {
    used_ = 0;
    long_texts_.clear();
  }
  /// The end of the text, with room for `characters` after it.
  char* room(std::size_t characters) {
    if (memory_.size() - used_ < characters) memory_.resize(std::max(2 * memory_.size(), used_ + characters));
    return memory_.data() + used_;
  }
  void end_at(const char* end) noexcept { used_ = static_cast<std::size_t>(end - memory_.data()); }
  char& back() noexcept { return memory_[used_ - 1]; }
  /// A text that lives until send(), whose quotes are doubled or not.
  void refer(std::string_view text, bool doubles_quotes) { long_texts_.push_back({used_, text, doubles_quotes}); }

  void send(ByteOutput& output) const;

 private:
  struct LongText {
    std::size_t place;  ///< in the memory, where it belongs
    std::string_view text;
    bool doubles_quotes;
  };

  static void send_with_doubled_quotes(std::string_view text, ByteOutput& output);

  std::vector<char> memory_;
  std::size_t used_ = 0;
  std::vector<LongText> long_texts_;
};

void TextBlock::send(ByteOutput& output) const {
  std::size_t sent = 0;
  for (const LongText& next : long_texts_) {
    output.write(memory_.data() + sent, next.place - sent);
    sent = next.place;
    if (next.doubles_quotes)
      send_with_doubled_quotes(next.text, output);
    else
      output.write(next.text.data(), next.text.size());
  }
  output.write(memory_.data() + sent, used_ - sent);
}

char* append_with_doubled_quotes(std::string_view text, char* to) noexcept {
  for (const char c : text) {
    if (c == '"') *to++ = c;
    *to++ = c;
  }
  return to;
}

void TextBlock::send_with_doubled_quotes(std::string_view text, ByteOutput& output) {
  constexpr std::size_t at_once = std::size_t{64} << 10;
  std::vector<char> doubled(2 * at_once);
  for (; !text.empty(); text.remove_prefix(std::min(at_once, text.size()))) {
    const char* const end = append_with_doubled_quotes(text.substr(0, at_once), doubled.data());
    output.write(doubled.data(), static_cast<std::size_t>(end - doubled.data()));
  }
}

class TableSink final : public CollectingSink {
 public:
  TableSink(std::unique_ptr<ByteOutput> output, Format format, const OutputOptions& options)
      : CollectingSink(std::move(output)),
        delimiter_(options.delimiter != 0  ? options.delimiter
                   : format == Format::tsv ? '\t'
                                           : ','),
        precision_(std::clamp(options.precision, 0, 300)),
        header_(options.header),
        pool_(options.pool),
        progress_(options.progress) {}

 private:
  std::string obstacle_to_batches() const override { return "as text"; }
  /// Without a header names are not written.
  std::string stored_name(const std::string& name) const override {
    return header_ == Header::none ? name : utf8_name(name, "text");
  }
  void require_fit(const std::vector<TensorInfo>& batch) const override;
  void write_batch(const OutgoingBatch& batch) override;
  std::vector<Part> parts_of(const OutgoingBatch& batch) const;
  std::string first_lines(const std::vector<Part>& parts) const;
  void write_first_lines(const std::vector<Part>& parts);
  void write_computed(const OutgoingTensor& tensor);
  void write_rows(const std::vector<Part>& parts);
  bool shows_text(const Part& part, std::size_t rows) const;
  std::optional<DType> dtype_to_tell(const std::vector<Part>& parts) const;
  std::string header_line(const std::vector<Part>& parts) const;
  bool needs_quotes(std::string_view text) const;
  bool is_quoted(std::string_view text, bool needs_quotes) const;
  std::string cell(std::string_view text, bool needs_quotes) const;
  char* write_text(TextBlock& block, std::string_view text) const;
  void append_table(TextBlock& text, const std::vector<Part>& parts, std::size_t begin, std::size_t end) const;
  void append_rows(TextBlock& text, const Part& part, std::size_t begin, std::size_t end, char row_end) const;
  template <class T>
  char* write_cell(TextBlock& text, const T& value) const;

  char delimiter_;
  int precision_;
  Header header_;
  ThreadPool* pool_;
  ProgressHook progress_;
};

/// Are there no whole numbers after the first rows whose dtype only the first rows could show?
template <class T>
bool fits_f64_behind(std::size_t first_row, const Part& part) {
  const auto* const cells = static_cast<const T*>(part.tensor.data);
  return std::all_of(cells + first_row * part.columns, cells + part.tensor.size(),
                     [](T number) { return fits_f64(number) && number <= std::numeric_limits<std::int64_t>::max(); });
}

bool begins_with_mark(std::string_view text) { return text.substr(0, byte_order_mark.size()) == byte_order_mark; }

/// Rows and columns of one tensor: all axes but the last are rows; a scalar is one cell, a vector one column.
std::size_t rows_in_table(const Shape& shape) {
  return shape.size() < 2 ? element_count(shape) : element_count(Shape(shape.begin(), shape.end() - 1));
}
std::size_t columns_in_table(const Shape& shape) { return shape.size() < 2 ? 1 : shape.back(); }

/// Do the first rows show that all columns are text? A column does by a word, and all do if one of their cells is
/// unquoted and neither a number nor missing.
bool TableSink::shows_text(const Part& part, std::size_t rows) const {
  const auto* const cells = static_cast<const std::string*>(part.tensor.data);
  const auto is_word = [](const std::string& cell) { return !is_number(cell) && !is_missing(cell); };
  std::vector<bool> has_word(part.columns);
  for (std::size_t i = 0; i < rows * part.columns; ++i) {
    if (!is_quoted(cells[i], needs_quotes(cells[i]))) return true;
    has_word[i % part.columns] = has_word[i % part.columns] || is_word(cells[i]);
  }
  return std::count(has_word.begin(), has_word.end(), false) == 0;
}

/// The dtype of all cells, where a reader would not find it by itself in the rows that it looks at: text that reads as
/// numbers, and whole numbers that f64 would round.
std::optional<DType> TableSink::dtype_to_tell(const std::vector<Part>& parts) const {
  if (parts.empty()) return std::nullopt;
  const DType dtype = parts.front().tensor.dtype;
  const std::size_t looked_at = std::min(parts.front().rows, looked_at_rows);
  const auto has_dtype = [&](const Part& part) { return part.tensor.dtype == dtype; };
  const auto is_shown = [&](const Part& part) {
    if (dtype == DType::string) return shows_text(part, looked_at);
    if (dtype == DType::i64) return fits_f64_behind<std::int64_t>(looked_at, part);
    if (dtype == DType::u64) return fits_f64_behind<std::uint64_t>(looked_at, part);
    return true;
  };
  const bool is_told =
      std::all_of(parts.begin(), parts.end(), has_dtype) && !std::all_of(parts.begin(), parts.end(), is_shown);
  return is_told ? std::optional<DType>(dtype) : std::nullopt;
}

/// Throws for tensors that do not fit side by side in one table.
void TableSink::require_fit(const std::vector<TensorInfo>& batch) const {
  const auto refuse = [this](const TensorInfo& tensor, const std::string& expected) {
    throw Error(ErrorKind::usage, output().label() + ": dataset '" + tensor.name + "'",
                "has shape " + to_string(tensor.shape) + ", expected " + expected, "write HDF5");
  };
  for (const TensorInfo& tensor : batch) {
    if (batch.size() > 1 && tensor.shape.size() > 2) refuse(tensor, "a vector or a matrix beside others in one table");
    const std::size_t rows = rows_in_table(batch.front().shape);
    if (rows_in_table(tensor.shape) != rows)
      refuse(tensor, std::to_string(rows) + " rows as in '" + batch.front().name + "'");
  }
}

/// With numbers and delimiters after the names, as a list and in the text of the header, which grows by doubling and is
/// copied once.
std::uint64_t memory_of_names(const std::string& name, std::uint64_t columns) noexcept {
  constexpr std::uint64_t around = sizeof(std::string) + 32, copies = 4, longest_end = 24;
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  const std::uint64_t each = around + copies * (name.size() + longest_end);
  return columns > most / each ? most : columns * each;
}

std::vector<Part> TableSink::parts_of(const OutgoingBatch& batch) const {
  std::vector<Part> parts;
  for (const OutgoingTensor& tensor : batch.tensors) {
    Part part;
    part.name = tensor.name;
    part.rows = rows_in_table(tensor.shape());
    part.columns = columns_in_table(tensor.shape());
    part.column_names = column_names(tensor.attributes, part.columns);
    part.tensor = contiguous(tensor.view());
    parts.push_back(std::move(part));
  }
  return parts;
}

/// The comment with shape and dtype, and the header.
std::string TableSink::first_lines(const std::vector<Part>& parts) const {
  if (header_ == Header::none) return {};  // rows alone
  std::string lines;
  const auto shows_shape = [](const Part& part) { return part.tensor.rank() == 2 && part.columns > 0; };
  if (parts.size() == 1 && !shows_shape(parts.front())) {
    const TensorView& tensor = parts.front().tensor;
    lines = "# shape=" + listed(tensor.shape, ",") + " dtype=" + std::string(name_of(tensor.dtype)) + "\n";
  } else if (const std::optional<DType> dtype = dtype_to_tell(parts)) {
    lines = "# dtype=" + std::string(name_of(*dtype)) + "\n";
  }
  return lines + header_line(parts);
}

void TableSink::write_first_lines(const std::vector<Part>& parts) {
  std::shared_ptr<const void> counted;
  if (header_ != Header::none) {
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    std::uint64_t bytes = 0;
    for (const Part& part : parts) bytes = std::min(most, bytes + memory_of_names(part.name, part.columns));
    counted = memory_account().take(bytes, output().label());
  }
  const std::string lines = first_lines(parts);
  output().write(lines.data(), lines.size());
}

/// One tensor that is computed while it is written.
void TableSink::write_computed(const OutgoingTensor& tensor) {
  Part part;
  part.name = tensor.name;
  part.columns = columns_in_table(tensor.shape());
  part.column_names = column_names(tensor.attributes, part.columns);
  part.tensor = {nullptr, tensor.dtype(), tensor.shape(), row_major_strides(tensor.shape()), nullptr, {}};
  write_first_lines({part});
  const std::size_t row_bytes = part.columns * element_size(tensor.dtype());
  const auto write_some = [&](const void* rows, std::size_t count) {
    part.rows = count;
    part.tensor.data = rows;
    write_rows({part});
  };
  progress_ = nullptr;  // which is that of the computation
  std::string begun;    // bytes of a row that is not complete
  const auto consume = [&](const void* data, std::size_t bytes) {
    if (row_bytes == 0) return;
    const auto* from = static_cast<const char*>(data);
    if (!begun.empty()) {
      const std::size_t missing = std::min(row_bytes - begun.size(), bytes);
      begun.append(from, missing);
      from += missing;
      bytes -= missing;
      if (begun.size() < row_bytes) return;
      write_some(begun.data(), 1);
      begun.clear();
    }
    write_some(from, bytes / row_bytes);
    begun.assign(from + bytes / row_bytes * row_bytes, bytes % row_bytes);
  };
  try {
    tensor.produce(consume);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io && output().temporary_path().empty())
      output().write(cut_short.data(), cut_short.size());
    throw;
  }
}

void TableSink::write_batch(const OutgoingBatch& batch) {
  // The first line says whether integers have more digits than f64: of all of them.
  const DType first = batch.tensors.empty() ? DType::f64 : batch.tensors.front().dtype();
  const bool is_shown = first != DType::i64 && first != DType::u64;
  if (batch.tensors.size() == 1 && is_shown && std::holds_alternative<TensorProducer>(batch.tensors.front().content))
    return write_computed(batch.tensors.front());
  const std::vector<Part> parts = parts_of(batch);
  write_first_lines(parts);
  write_rows(parts);
}

/// Rows are formatted in blocks, a round of blocks at a time, and written in order. A round is small enough to be
/// written out of the caches.
void TableSink::write_rows(const std::vector<Part>& parts) {
  std::size_t columns = 0;
  std::uint64_t long_texts = 0;
  for (const Part& part : parts) {
    columns += part.columns;
    long_texts += memory_of_texts(part.tensor);
  }
  const std::size_t rows = parts.front().rows;
  if (columns == 0 || rows == 0) return;
  constexpr std::size_t cells_per_block = 1 << 13, blocks_per_thread = 4, text_per_block = std::size_t{1} << 20;
  const std::size_t row_bytes = long_texts / rows + 1;
  const std::size_t block_rows =
      std::max<std::size_t>(1, std::min(cells_per_block / columns, text_per_block / row_bytes));
  const std::size_t most_blocks = pool_ != nullptr ? blocks_per_thread * pool_->threads() : 1;
  const std::size_t round_blocks =
      std::clamp<std::size_t>(most_blocks * text_per_block / (row_bytes * block_rows), 1, most_blocks);
  std::vector<TextBlock> texts(round_blocks);
  for (std::size_t first = 0; first < rows; first += block_rows * round_blocks) {
    const std::size_t blocks = std::min(round_blocks, (rows - first + block_rows - 1) / block_rows);
    const auto format = [&](std::size_t block, std::size_t) {
      texts[block].clear();
      const std::size_t begin = first + block * block_rows;
      append_table(texts[block], parts, begin, std::min(rows, begin + block_rows));
    };
    if (pool_ != nullptr)
      pool_->run(blocks, format);
    else
      format(0, 0);
    for (std::size_t block = 0; block < blocks; ++block) texts[block].send(output());
    if (progress_) progress_(std::min(rows, first + block_rows * blocks), rows);
  }
}

std::string TableSink::header_line(const std::vector<Part>& parts) const {
  const std::vector<std::string> names = names_in_header({parts.begin(), parts.end()});
  // An empty name is an empty cell, except with blanks as delimiters, in a line that would be blank, or if a reader
  // would see a row of missing values.
  const auto are_all = [&names](auto is) { return std::all_of(names.begin(), names.end(), is); };
  const bool are_empty = are_all([](const std::string& name) { return name.empty(); });
  const bool are_quoted = (are_empty && (delimiter_ == '\t' || names.size() == 1)) ||
                          (header_ == Header::marked && are_all([](const auto& name) { return is_missing(name); }));
  std::string line;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    // The first name must not begin a comment or with a byte order mark, and no name may look like a number.
    const bool reads_as_other = are_quoted || (name.empty() && delimiter_ == ' ') ||
                                (i == 0 && !name.empty() && (name.front() == '#' || begins_with_mark(name))) ||
                                (header_ == Header::marked && delimiter_of_numbers(name) != 0);
    if (i > 0) line += delimiter_;
    line += cell(header_ == Header::marked ? marked_name(name) : name, reads_as_other);
  }
  return names.empty() ? line : line + "\n";
}

/// In quotes also where another delimiter might be seen in it.
bool TableSink::needs_quotes(std::string_view text) const {
  return is_missing(text) || text.front() == '#' || begins_with_mark(text) || is_number(text) ||
         delimiter_of_numbers(text) != 0 || text.find_first_of(",;|\t") != std::string_view::npos;
}

/// Quotes only where they must be, as other writers of tables have it, so that a header comes back as it was. Throws
/// Error(data) for what no cell holds.
bool TableSink::is_quoted(std::string_view text, bool needs_quotes) const {
  if (find_control(text) < text.size())
    throw Error(ErrorKind::data, output().label(), "cannot hold a control character in a cell", "write HDF5");
  if (find_invalid_utf8(text))
    throw Error(ErrorKind::data, output().label(), "cannot hold text that is not UTF-8 in a cell", "write HDF5");
  return needs_quotes || text.find_first_of("\"\r\n") != std::string_view::npos ||
         text.find(delimiter_) != std::string_view::npos || trimmed(text) != text;
}

std::string TableSink::cell(std::string_view text, bool needs_quotes) const {
  if (!is_quoted(text, needs_quotes)) return std::string(text);
  std::string out(2 * text.size() + 2, '"');
  out.resize(static_cast<std::size_t>(append_with_doubled_quotes(text, out.data() + 1) - out.data()));
  return out += '"';
}

/// Writes a cell of text at the end of the block, with room for a delimiter; returns its end. A long text is not
/// copied.
char* TableSink::write_text(TextBlock& block, std::string_view text) const {
  constexpr std::size_t most_copied = std::size_t{64} << 10;
  const bool quoted = is_quoted(text, needs_quotes(text));
  if (text.size() > most_copied) {
    if (quoted) {
      char* const at = block.room(1);
      *at = '"';
      block.end_at(at + 1);
    }
    block.refer(text, quoted);
    char* at = block.room(2);
    if (quoted) *at++ = '"';
    return at;
  }
  if (!quoted) return std::copy(text.begin(), text.end(), block.room(text.size() + 1));
  char* at = block.room(2 * text.size() + 3);
  *at++ = '"';
  at = append_with_doubled_quotes(text, at);
  *at++ = '"';
  return at;
}

void TableSink::append_table(TextBlock& text, const std::vector<Part>& parts, std::size_t begin,
                             std::size_t end) const {
  if (parts.size() == 1) return append_rows(text, parts.front(), begin, end, '\n');
  for (std::size_t row = begin; row < end; ++row) {
    for (const Part& part : parts) append_rows(text, part, row, row + 1, delimiter_);
    text.back() = '\n';
  }
}

void TableSink::append_rows(TextBlock& text, const Part& part, std::size_t begin, std::size_t end, char row_end) const {
  visit_dtype(part.tensor.dtype, [&](auto element) {
    using T = decltype(element);
    const T* value = static_cast<const T*>(part.tensor.data) + begin * part.columns;
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t column = 1; column <= part.columns; ++column) {
        char* at = write_cell(text, *value++);
        *at = column < part.columns ? delimiter_ : row_end;
        text.end_at(at + 1);
      }
    }
  });
}

/// Writes at the end of the text, with room for a delimiter, and returns the end of the cell.
template <class T>
char* TableSink::write_cell(TextBlock& text, const T& value) const {
  if constexpr (std::is_same_v<T, std::string>) {
    return write_text(text, value);
  } else {
    return write_number(text.room(longest_number + 1), value, precision_);
  }
}

}  // namespace

std::vector<std::string> names_in_header(const std::vector<HeaderPart>& parts) {
  std::map<std::string, std::size_t> tensors_with;
  for (const HeaderPart& part : parts)
    for (const std::string& name : std::set<std::string>(part.column_names.begin(), part.column_names.end()))
      ++tensors_with[name];
  std::vector<std::string> names;
  std::size_t columns = 0;
  for (const HeaderPart& part : parts) columns += part.columns;
  names.reserve(columns);
  for (const HeaderPart& part : parts) {
    const bool is_one = part.columns == 1, is_of_table = is_dataset_of_column(part.name, part.column_names);
    for (std::size_t column = 0; column < part.columns; ++column) {
      if (part.column_names.empty()) {
        names.push_back(part.name + (is_one ? "" : std::to_string(column)));
      } else {
        const std::string& name = part.column_names[column];
        const bool is_own = is_of_table || tensors_with[name] == 1;
        names.push_back(is_own ? name : part.name + (is_one ? "" : '/' + name));
      }
    }
  }
  return names;
}

std::unique_ptr<Sink> table_sink(std::unique_ptr<ByteOutput> output, Format format, const OutputOptions& options) {
  return std::make_unique<TableSink>(std::move(output), format, options);
}

}  // namespace attn::io
