// CSV and TSV into tensors. Rows are samples, always: a table is (rows, columns), and so is any choice of its columns.

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/dates.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/table/columns.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace attn::io {
namespace {

constexpr const char* whole_table = "table";
constexpr std::size_t all_rows = static_cast<std::size_t>(-1);

Execution execution_of(const InputOptions& options) {
  Execution execution;
  execution.pool = options.pool;
  execution.progress = options.progress;
  return execution;
}

std::string operand_of(const std::string& label) { return label == "standard input" ? "-" : label; }

class TableSource final : public Source {
 public:
  TableSource(std::unique_ptr<ByteInput> input, const InputOptions& options)
      : options_(options),
        given_rows_(options.rows),
        input_(std::move(input)),
        bytes_(options.rows_may_come ? input_->take_growing_rest() : input_->take_rest()),
        has_come_(bytes_.arrival == nullptr),
        text_(first_text()),
        execution_(execution_of(options)) {
    guesses_names_ = options.table.header == TableOptions::Header::automatic && !text_.names().empty() &&
                     !text_.dtype() && text_.rows() > 0;
    is_told_no_header_ = options.table.header == TableOptions::Header::no;
    await_rows(text_.shape() ? all_rows : looked_at_rows);
    kinds_ = kinds_of_columns(text_);
    note_commas();
    if (options.table.missing == TableOptions::Missing::omit) omit_missing();
    count_rows();
    expect_rows(options.table.header);
    list_tensors_of_table();
  }

  const std::string& label() const noexcept override { return text_.label(); }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  bool is_table() const noexcept override { return true; }
  std::size_t rows_together(const std::string& name) const override { return rows_together(resolve_name(name)); }
  bool await_rows(std::size_t rows) override;
  void discard(const TensorView& part) const noexcept override;
  bool reads_again() const noexcept override { return bytes_.arrival == nullptr; }
  TensorInfo describe(const std::string& name) const override { return resolve_name(name).info; }
  Attributes attributes(const std::string& name) const override {
    return name.empty() ? Attributes{} : attributes(resolve_name(name));
  }
  void will_read(const std::vector<TensorInfo>& tensors) override { expected_ = tensors; }
  TensorView read(const std::string& name, const Slab& part) override { return read(name, part, Dates::text); }
  std::vector<std::size_t> columns_in(const std::string& name) const override {
    if (find(name) != nullptr) return {};
    const ChosenColumns chosen = choose_columns(name, text_.names(), text_.columns());
    if (!chosen.missing.empty()) refuse_missing(chosen, name);
    return chosen.places;
  }
  const TensorInfo* find(const std::string& name) const override {
    if (own_datasets_.empty()) return Source::find(name);
    const auto own = own_datasets_.find(name);
    return own == own_datasets_.end() ? nullptr : &tensors_[own->second];
  }
  Source& in_numbers() noexcept override { return in_numbers_; }

 private:
  struct Request {
    TensorInfo info;
    std::vector<std::size_t> columns;
    bool is_whole = false;
  };
  enum class Dates { text, numbers };

  /// The table with its dates as numbers.
  class InNumbers final : public Source {
   public:
    explicit InNumbers(TableSource& table) : table_(table) {}
    const std::string& label() const noexcept override { return table_.label(); }
    const std::vector<TensorInfo>& tensors() const noexcept override { return table_.tensors_in_numbers_; }
    bool is_table() const noexcept override { return true; }
    std::size_t rows_together(const std::string& name) const override { return table_.rows_together(request(name)); }
    bool await_rows(std::size_t rows) override { return table_.await_rows(rows); }
    void discard(const TensorView& part) const noexcept override { table_.discard(part); }
    bool reads_again() const noexcept override { return table_.reads_again(); }
    TensorInfo describe(const std::string& name) const override { return request(name).info; }
    Attributes attributes(const std::string& name) const override {
      return name.empty() ? Attributes{} : table_.attributes(request(name));
    }
    void will_read(const std::vector<TensorInfo>& tensors) override { table_.will_read(tensors); }
    TensorView read(const std::string& name, const Slab& part) override {
      return table_.read(name, part, Dates::numbers);
    }
    std::vector<std::size_t> columns_in(const std::string& name) const override { return table_.columns_in(name); }
    const TensorInfo* find(const std::string& name) const override {
      const TensorInfo* const stored = table_.find(name);
      return stored == nullptr ? nullptr : &tensors()[static_cast<std::size_t>(stored - table_.tensors_.data())];
    }

   private:
    std::optional<TensorView> read_whole_numbers(const std::string& name, const Slab& part, DType dtype) override {
      return table_.read_whole_numbers(name, part, dtype);
    }
    Request request(const std::string& name) const { return table_.resolve_name(name, Dates::numbers); }

    TableSource& table_;
  };

  std::size_t rows_together(const Request& request) const;
  Attributes attributes(const Request& request) const;
  bool has_dates(const Request& request) const;
  bool is_word(std::size_t column, Dates dates) const noexcept {
    return kinds_[column].is_text && !(kinds_[column].is_date && dates == Dates::numbers);
  }
  TensorView read(const std::string& name, const Slab& part, Dates dates);
  std::optional<TensorView> read_whole_numbers(const std::string& name, const Slab& part, DType dtype) override {
    Request request = resolve_name(name, Dates::numbers);
    if (text_.shape() || request.info.dtype != DType::f64) return std::nullopt;
    request.info.dtype = dtype;
    try {
      read_pass({request});
      return take(request, part);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      return std::nullopt;
    }
  }
  TableText first_text();
  void count_rows();
  void note_commas();
  void omit_missing();
  void expect_rows(TableOptions::Header header);
  std::size_t rows() const noexcept { return given_rows_.value_or(text_.rows()); }
  void say_notes(const Request& request);
  void say_notes();
  std::vector<Request> with_expected(const Request& first, Dates dates) const;
  void read_pass(const std::vector<Request>& tensors);
  TensorView take(const Request& request, const Slab& part);
  TensorView read_rows(const Request& request, TableRows rows, Slab part);
  std::string full_name(const Request& request) const {
    return request.is_whole ? label() : label() + ":/" + request.info.name;
  }
  std::vector<std::size_t> all_columns() const;
  void list_tensors_of_table();
  Request resolve_name(const std::string& name, Dates dates = Dates::text) const;
  std::optional<DType> dtype_of(const std::vector<std::size_t>& columns, Dates dates) const;
  [[noreturn]] void refuse_missing(const ChosenColumns& chosen, const std::string& list) const;
  Request choose(std::vector<std::size_t> columns, const std::string& name, Dates dates) const;

  const InputOptions options_;
  const std::optional<std::size_t> given_rows_;
  const std::unique_ptr<ByteInput> input_;
  Bytes bytes_;
  bool has_come_;  ///< all of the text
  mutable TableText text_;
  const void* latest_ = nullptr;   ///< the rows that were read last
  std::size_t behind_latest_ = 0;  ///< the row behind them
  std::size_t noted_ = 0;          ///< how many notes about the text were taken over
  std::vector<ColumnKind> kinds_;
  Execution execution_;
  std::vector<std::string> notes_;  ///< not said yet
  bool has_noted_index_ = false, has_noted_names_ = false, has_noted_dates_ = false;
  bool guesses_names_ = false;  ///< names are not given by an option
  bool is_told_no_header_ = false;
  std::vector<TensorInfo> tensors_, tensors_in_numbers_;
  std::map<std::string, std::size_t> own_datasets_;            ///< columns by their names, where each is a dataset
  std::vector<TensorInfo> expected_;                           ///< what will be asked for
  std::map<std::pair<std::string, DType>, TensorView> ready_;  ///< what was read of it, until it is asked for
  InNumbers in_numbers_{*this};
};

/// `columns`: what the header calls the columns, so that they keep their names in other formats: those of the last
/// axis, or the only one of a vector. Of dates as numbers, what these count.
Attributes TableSource::attributes(const Request& request) const {
  const Shape& shape = request.info.shape;
  if (request.columns.size() != (shape.size() < 2 ? 1 : shape.back())) return {};
  std::vector<std::string> names;
  std::vector<bool> are_dates;
  for (const std::size_t column : request.columns) {
    if (!text_.names().empty()) names.push_back(text_.names()[column]);
    are_dates.push_back(kinds_[column].is_date && request.info.dtype != DType::string);
  }
  Attributes attributes = attributes_of_dates(are_dates);
  if (!names.empty()) attributes["columns"] = vector_of(names);
  return attributes;
}

/// Does it read dates as numbers?
bool TableSource::has_dates(const Request& request) const {
  return request.info.dtype != DType::string && std::any_of(request.columns.begin(), request.columns.end(),
                                                            [&](std::size_t column) { return kinds_[column].is_date; });
}

/// With as many rows as determine the kinds of the columns, and with all if those tell too little.
TableText TableSource::first_text() {
  const auto text = [&] { return TableText(bytes_.text(), input_->label(), options_.table, options_.pool, has_come_); };
  const std::string comment = options_.table.comment.value_or("#");
  std::size_t lines = 0;
  for (std::size_t counted = 0; !has_come_ && lines < looked_at_rows;) {
    has_come_ = !bytes_.grow();
    const std::string_view come = bytes_.text();
    for (std::size_t end = 0; (end = come.find('\n', counted)) != std::string_view::npos; counted = end + 1)
      lines += comment.find(come[counted]) == comment.npos && end > counted + 1;
  }
  if (has_come_) return text();
  try {
    return text();
  } catch (const Error&) {
    while (bytes_.grow()) continue;
    has_come_ = true;
    return text();
  }
}

bool TableSource::await_rows(std::size_t count) {
  bool are_more = false;
  for (; !has_come_ && text_.rows() < count; are_more = true) {
    const bool is_all = !bytes_.grow();
    text_.extend(bytes_.text(), is_all, options_.pool);
    has_come_ = is_all;  // what is wrong with it is said again when it is asked for again
  }
  if (are_more) count_rows();
  return has_come_ || given_rows_;
}

/// After some have come.
void TableSource::count_rows() {
  if (given_rows_ && (has_come_ ? text_.rows() != *given_rows_ : text_.rows() > *given_rows_))
    throw Error(ErrorKind::data, label(),
                has_come_
                    ? "has " + std::to_string(text_.rows()) + " rows, and --rows says " + std::to_string(*given_rows_)
                    : "has more rows than the " + std::to_string(*given_rows_) + " of --rows",
                "correct the option, or leave it out");
  for (std::vector<TensorInfo>* const tensors : {&tensors_, &tensors_in_numbers_})
    for (TensorInfo& tensor : *tensors)
      if (!text_.shape()) tensor.shape.front() = rows();
  notes_.insert(notes_.end(), text_.notes().begin() + static_cast<std::ptrdiff_t>(noted_), text_.notes().end());
  noted_ = text_.notes().size();
  if (latest_ != nullptr) say_notes();
}

void TableSource::note_commas() {
  const auto has_sure_commas = [](const ColumnKind& kind) {
    return kind.has_decimal_commas && kind.thousands.begin == nullptr;
  };
  const auto may_be_thousands = [](const ColumnKind& kind) { return kind.thousands.begin != nullptr; };
  const auto found = std::find_if(kinds_.begin(), kinds_.end(), may_be_thousands);
  if (found == kinds_.end() || std::any_of(kinds_.begin(), kinds_.end(), has_sure_commas)) return;
  notes_.push_back(label() + ":" + std::to_string(text_.line_of(found->thousands.begin)) + ": the comma of " +
                   shown_text(found->thousands.text) + " is read as the decimal sign, because ';' separates the cells");
}

void TableSource::omit_missing() {
  std::vector<bool> are_text, are_empty;
  for (const ColumnKind& kind : kinds_) {
    are_empty.push_back(kind.is_empty && text_.names().size() > 1 && text_.names()[are_text.size()].empty());
    are_text.push_back(kind.is_text);
  }
  const std::size_t rows = text_.rows();
  text_.omit_missing(std::move(are_text), std::move(are_empty), options_.pool);
  await_rows(looked_at_rows);
  if (rows > 0 && text_.rows() == 0)
    throw Error(ErrorKind::data, label(), "has a missing cell in every row, and --missing omit drops them all",
                "give --missing nan");
  kinds_ = kinds_of_columns(text_);
}

/// A header alone may be a line of any text, for example of a failed download, unless an option says that it is a
/// header.
void TableSource::expect_rows(TableOptions::Header header) {
  if (text_.rows() > 0 || text_.shape() || header == TableOptions::Header::yes) return;
  if (text_.columns() == 1)
    throw Error(ErrorKind::input, label(), "has one line of text and no rows",
                "--header makes it a table without rows");
  notes_.push_back(label() + " has a header and no rows; --no-header makes a row of it");
}

/// Once, after something was read, so that an error comes without notes.
void TableSource::say_notes(const Request& request) {
  const auto& names = text_.names();
  if (request.is_whole && names.size() > 1 && names.front().empty() && !names.back().empty() &&
      !std::exchange(has_noted_index_, true))
    notes_.push_back(label() + ": the first column has no name, as an index has none, and is read like the others; " +
                     "to leave it out, name columns as in " + operand_of(label()) + ":/" + names[1]);
  // Above words alone, names are a guess, unless they are used.
  const bool uses_names = !request.is_whole && request.info.name.find_first_not_of("0123456789, ") != std::string::npos;
  const bool are_words =
      std::all_of(kinds_.begin(), kinds_.end(), [](const ColumnKind& kind) { return kind.is_text && !kind.is_date; });
  if (guesses_names_ && are_words && !uses_names && !std::exchange(has_noted_names_, true))
    notes_.push_back(label() + ": the first row of words is read as the names of columns; --no-header makes it data");
  if (has_dates(request) && !std::exchange(has_noted_dates_, true))
    notes_.push_back(full_name(request) + ": dates are read as days since 1970-01-01 (UTC)");
  say_notes();
}

void TableSource::say_notes() {
  for (const std::string& text : std::exchange(notes_, {}))
    if (options_.note) options_.note(text);
}

std::vector<std::size_t> TableSource::all_columns() const {
  std::vector<std::size_t> columns(text_.columns());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

/// The common dtype of columns: words, numbers in f64, or whole numbers in i64 or u64. None if no dtype fits all. Dates
/// beside words are words.
std::optional<DType> TableSource::dtype_of(const std::vector<std::size_t>& columns, Dates dates) const {
  const auto all = [&](bool ColumnKind::*holds, bool wanted = true) {
    return std::all_of(columns.begin(), columns.end(), [&](std::size_t c) { return kinds_[c].*holds == wanted; });
  };
  if (std::any_of(columns.begin(), columns.end(), [&](std::size_t column) { return is_word(column, dates); }))
    return all(&ColumnKind::is_text) ? std::optional(DType::string) : std::nullopt;
  if (text_.dtype()) return text_.dtype();
  if (all(&ColumnKind::exceeds_f64, false)) return DType::f64;
  if (all(&ColumnKind::fits_i64)) return DType::i64;
  if (all(&ColumnKind::fits_u64)) return DType::u64;
  return std::nullopt;
}

/// A table of one kind is one dataset; words, whole numbers that f64 would round, and other numbers side by side are a
/// dataset for each column.
void TableSource::list_tensors_of_table() {
  if (text_.shape()) {
    const std::size_t claimed = stored_bytes(*text_.shape(), 1, label()), cells = text_.rows() * text_.columns();
    if (claimed != cells) {
      // If rows differ in length, reading them reports that.
      read_columns(text_, kinds_, {all_columns()}, text_.dtype().value_or(DType::f64), {0, text_.rows()}, execution_);
      throw Error(ErrorKind::data, label(),
                  "has " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") + ", expected those of shape " +
                      to_string(*text_.shape()),
                  "correct the line '# shape=', or remove it");
    }
    tensors_ = tensors_in_numbers_ = {{whole_table, text_.dtype().value_or(DType::f64), *text_.shape()}};
    return;
  }
  if (const std::optional<DType> dtype = dtype_of(all_columns(), Dates::text)) {
    tensors_ = {{whole_table, *dtype, {rows(), text_.columns()}}};
    tensors_in_numbers_ = {{whole_table, *dtype_of(all_columns(), Dates::numbers), {rows(), text_.columns()}}};
    return;
  }
  const std::vector<std::string> datasets = datasets_of_columns(text_.names(), text_.columns());
  for (std::size_t column = 0; column < text_.columns(); ++column) {
    own_datasets_[datasets[column]] = column;
    tensors_.push_back({datasets[column], *dtype_of({column}, Dates::text), {rows(), 1}});
    tensors_in_numbers_.push_back({datasets[column], *dtype_of({column}, Dates::numbers), {rows(), 1}});
  }
}

/// A name that no column has may be that of a first row which is read as data, or end in brackets.
void TableSource::refuse_missing(const ChosenColumns& chosen, const std::string& list) const {
  const auto& names = text_.names();
  const std::string& name = chosen.missing;
  const Error error = no_column(label(), chosen, list, names, text_.columns());
  if (is_told_no_header_ && text_.rows() > 0) {
    const char* at = text_.blocks().front().begin;
    const char* const end = text_.blocks().back().end;
    const std::vector<Cell> first = text_.find_row(at, end) ? text_.take_row(at, end) : std::vector<Cell>{};
    if (std::any_of(first.begin(), first.end(), [&](const Cell& cell) { return cell.unescaped() == name; }))
      throw Error(error.kind(), label(), error.detail() + ", because --no-header makes its first row data",
                  "omit the option; sed 1d removes the names from the result");
  }
  for (const std::string& other : names)
    if (other.size() > name.size() && other.back() == ']' && other.compare(0, name.size() + 1, name + "[") == 0)
      throw Error(error.kind(), label(), error.detail(),
                  "column '" + other + "' is written " + operand_of(label()) + ":/" + other + "[]");
  std::string way = error.fix();
  if (const std::string hint = text_.hint_of_delimiter(); !hint.empty()) way += "; " + hint;
  if (names.empty() && text_.rows() > 0 && text_.blocks().front().begin > text_.begin()) {
    const char* const first = text_.blocks().front().begin;
    const std::string_view front(text_.begin(), static_cast<std::size_t>(first - text_.begin()));
    if (front.find(name) != front.npos)
      way += "; a comment in front of the rows has it, but not one name for each column: number the columns";
  }
  throw Error(error.kind(), label(), error.detail(), way);
}

TableSource::Request TableSource::resolve_name(const std::string& name, Dates dates) const {
  if (name == whole_table && tensors_.size() == 1 && tensors_.front().name == whole_table)
    return {(dates == Dates::text ? tensors_ : tensors_in_numbers_).front(), all_columns(), true};
  if (const auto own = own_datasets_.find(name); own != own_datasets_.end()) return choose({own->second}, name, dates);
  ChosenColumns chosen = choose_columns(name, text_.names(), text_.columns());
  if (!chosen.missing.empty()) refuse_missing(chosen, name);
  return choose(std::move(chosen.places), name, dates);
}

TableSource::Request TableSource::choose(std::vector<std::size_t> columns, const std::string& name, Dates dates) const {
  const std::optional<DType> dtype = dtype_of(columns, dates);
  if (!dtype) {
    const auto find = [&](const auto& is) { return std::find_if(columns.begin(), columns.end(), is); };
    const auto text = find([&](std::size_t column) { return is_word(column, dates); });
    const auto large = find([&](std::size_t column) { return kinds_[column].exceeds_f64; });
    if (text == columns.end())
      throw Error(ErrorKind::data, label() + ":/" + name,
                  "has whole numbers that f64 would round in column '" + text_.name(*large) +
                      "' and numbers of another kind in others",
                  "name columns of one kind, or begin with a line '# dtype=f64'");
    const Cell& word = kinds_[*text].odd;
    const std::string way = kinds_[*text].is_date ? "--dtype f64 reads dates as numbers"
                                                  : way_to_number(word.text, label() + ":/" + text_.name(*text));
    text_.refuse(
        word.begin,
        shown_text(word.text) + " in column '" + text_.name(*text) + "' is text, and other columns of " +
            shown_text(name) + " have numbers",
        (way.empty() ? "code words as numbers first, such as 0, 1, 2" : way) + ", or name columns of one kind");
  }
  const Shape shape{rows(), columns.size()};
  return {{name, *dtype, shape}, std::move(columns), false};
}

/// Each pass reads all of the text, so that reading many columns one by one would take quadratic time: reads the next
/// tensors of the same dtype along with this one, in a quarter of the free memory.
std::vector<TableSource::Request> TableSource::with_expected(const Request& first, Dates dates) const {
  const DType dtype = first.info.dtype;
  const std::uint64_t each = std::max<std::uint64_t>(1, text_.rows() * element_size(dtype));
  const std::uint64_t fit = memory_account().left() / 4 / each;
  std::uint64_t columns = first.columns.size();
  std::vector<Request> tensors{first};
  const auto is_first = [&](const TensorInfo& info) { return info.name == first.info.name; };
  for (auto next = std::find_if(expected_.begin(), expected_.end(), is_first); next != expected_.end(); ++next) {
    Request other = resolve_name(next->name, dates);
    if (is_first(other.info) || other.info.dtype != dtype) continue;
    columns += other.columns.size();
    if (columns > fit) break;
    tensors.push_back(std::move(other));
  }
  return tensors;
}

void TableSource::read_pass(const std::vector<Request>& tensors) {
  const DType dtype = tensors.front().info.dtype;
  std::vector<std::vector<std::size_t>> columns;
  std::uint64_t cells = 0;
  for (const Request& request : tensors) {
    columns.push_back(request.columns);
    cells += text_.rows() * request.columns.size();
  }
  memory_account().require(cells * element_size(dtype), full_name(tensors.front()));
  const std::vector<TensorView> tables = read_columns(text_, kinds_, columns, dtype, {0, text_.rows()}, execution_);
  for (std::size_t i = 0; i < tables.size(); ++i)
    ready_[{tensors[i].info.name, dtype}] = renamed(reshaped(tables[i], tensors[i].info.shape), full_name(tensors[i]));
}

/// Rows without a shape of their own, most of whose cells are wanted: others are passed over for each block.
std::size_t TableSource::rows_together(const Request& request) const {
  if (text_.shape() || tensors_.size() > 1) return 0;
  const bool are_most = !has_come_ || 2 * request.columns.size() >= text_.columns();
  return request.info.dtype != DType::string && are_most ? 1 : 0;
}

/// Of a block of rows only their text is read; nearly all rows are read as all are.
TensorView TableSource::read(const std::string& name, const Slab& part, Dates dates) {
  if (part.empty()) await_rows(all_rows);
  const Request request = resolve_name(name, dates);
  if (!part.empty() && !text_.shape()) {
    const ResolvedSlab chosen = resolve(part, request.info.shape, full_name(request));
    const std::size_t first = chosen.start[0], span = (std::max<std::size_t>(chosen.count[0], 1) - 1) * chosen.step[0];
    const std::size_t last = chosen.count[0] == 0 ? first : first + span + 1;
    if (!has_come_ || 2 * (last - first) < text_.rows()) {
      Slab of_rows = part;
      AxisSlab& axis = of_rows.front();
      if (!axis.is_index) axis.stop.reset();
      axis.start = chosen.backwards[0] ? static_cast<std::int64_t>(span) : 0;
      return read_rows(request, {first, last}, std::move(of_rows));
    }
  }
  if (ready_.count({request.info.name, request.info.dtype}) == 0) {
    try {
      read_pass(with_expected(request, dates));
    } catch (const Error&) {
      expected_.clear();  // what is wrong with others is said when they are asked for
      read_pass({request});
    }
  }
  return take(request, part);
}

TensorView TableSource::read_rows(const Request& request, TableRows rows, Slab part) {
  // Behind the last row that was promised there must be no other one.
  await_rows(rows.last + (given_rows_ == rows.last ? 1 : 0));
  Execution execution = execution_;
  execution.progress = nullptr;
  memory_account().require((rows.last - rows.first) * request.columns.size() * element_size(request.info.dtype),
                           full_name(request));
  const TensorView read = read_columns(text_, kinds_, {request.columns}, request.info.dtype, rows, execution).front();
  say_notes(request);
  latest_ = read.data;
  behind_latest_ = rows.last;
  return slice(renamed(read, full_name(request)), part);
}

/// Of a stream, the text of rows that are passed goes.
void TableSource::discard(const TensorView& part) const noexcept {
  if (bytes_.arrival == nullptr || part.data != latest_) return;
  const std::string_view passed = text_.give_back(behind_latest_);
  bytes_.discard(ByteSpan{reinterpret_cast<const unsigned char*>(passed.data()), passed.size()});
}

TensorView TableSource::take(const Request& request, const Slab& part) {
  const TensorView table = ready_.extract({request.info.name, request.info.dtype}).mapped();
  TensorView chosen = slice(table, part);
  if (chosen.size() != table.size()) {
    // A part of its own, so that the rest of the table can go.
    memory_account().require(chosen.bytes(), table.name);
    chosen = copied(chosen);
  }
  say_notes(request);
  return chosen;
}

}  // namespace

std::unique_ptr<Source> open_table(std::unique_ptr<ByteInput> input, const InputOptions& options) {
  return std::make_unique<TableSource>(std::move(input), options);
}

}  // namespace attn::io
