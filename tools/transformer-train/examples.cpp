#include "transformer-train/examples.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>
#include <attn/io/operand.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>

namespace transformer_train {
namespace {

using attn::Error;
using attn::ErrorKind;

std::pair<std::uintmax_t, std::filesystem::file_time_type> stamp_of(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return {};  // a pipe is kept as text, and its time changes
  return {std::filesystem::file_size(path, none), std::filesystem::last_write_time(path, none)};
}

/// A cell as the table has it, for whole numbers.
std::vector<std::string> words_of(const attn::TensorView& column) {
  if (column.dtype == attn::DType::string) return attn::elements_of<std::string>(column);
  std::vector<std::string> words;
  const attn::TensorView wide = attn::contiguous(attn::cast(column, attn::DType::f64));
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const double x = wide.contiguous_data<double>()[i];
    constexpr double largest_whole = 9007199254740992;
    words.push_back(std::isnan(x)                                        ? ""
                    : x == std::floor(x) && std::abs(x) <= largest_whole ? std::to_string(static_cast<std::int64_t>(x))
                                                                         : cli::to_text(x));
  }
  return words;
}

std::optional<double> number_in(const std::string& word) {
  double x = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(x) : std::nullopt;
}

bool is_label_before(const std::string& a, const std::string& b) {
  const std::optional<double> x = number_in(a), y = number_in(b);
  if (x.has_value() != y.has_value()) return x.has_value();
  return x && *x != *y ? *x < *y : a < b;
}

}  // namespace

bool names_columns(const std::string& operand) { return !attn::io::parse_operand(operand).dataset.empty(); }

std::string with_columns(const std::string& operand) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(operand, none)) return operand;
  std::ifstream file(operand);
  std::string line(sizeof "\"label\",\"text\"\r", '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(std::min(line.find('\n'), static_cast<std::size_t>(file.gcount())));
  line.erase(std::remove_if(line.begin(), line.end(), [](char c) { return c == '"' || c == '\r'; }), line.end());
  const bool has_both = line == "text,label" || line == "label,text" || line == "text\tlabel" || line == "label\ttext";
  return has_both ? operand + ":/text,label" : operand;
}

TextTable::TextTable(const std::string& text, cli::Session& session) : label_(text) {
  attn::io::Operand operand = attn::io::parse_operand(text);
  path_ = operand.source;
  attn::Source& source = session.inputs.source(operand);
  attn::io::resolve_ranges(operand, source);
  const std::vector<std::size_t> places = source.columns_in(operand.dataset);
  if (!source.is_table())
    throw Error(ErrorKind::usage, text, "names no columns of a table",
                "give the text and what belongs to it, as in FILE.csv:/text,label");
  if (places.size() < 2 || source.tensors().size() == 1) {  // one column, or all of the table is numbers
    const std::vector<std::string> cells = words_of(source.read(operand.dataset, operand.slab));
    columns_.resize(std::max<std::size_t>(places.size(), 1));
    for (std::size_t i = 0; i < cells.size(); ++i) columns_[i % columns_.size()].push_back(cells[i]);
  } else {
    std::vector<attn::TensorInfo> columns;
    for (const std::size_t place : places) columns.push_back(source.tensors()[place]);
    source.will_read(columns);
    for (const attn::TensorInfo& column : columns) columns_.push_back(words_of(source.read(column.name, operand.slab)));
  }
  if (rows() == 0) throw Error(ErrorKind::input, label_, "has no rows");
  if (columns_.size() == 1) return;
  const std::vector<std::string>& last = columns_.back();
  const auto empty = std::find(last.begin(), last.end(), "");
  if (empty != last.end())
    throw Error(ErrorKind::data, label_,
                "row " + std::to_string(empty - last.begin() + 1) + " has nothing in the last of these columns",
                "--missing omit leaves such rows out");
}

std::vector<std::string> TextTable::row(std::size_t i) const {
  std::vector<std::string> cells;
  for (const std::vector<std::string>& column : columns_) cells.push_back(column[i]);
  return cells;
}

std::vector<std::string> TextTable::labels() const {
  std::vector<std::string> labels = columns_.back();
  std::sort(labels.begin(), labels.end(), is_label_before);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

void TextTable::expect_classes() const {
  const std::vector<std::string> labels = this->labels();
  if (labels.size() == 1)
    throw Error(ErrorKind::data, label_, "has one label, '" + labels.front() + "', and nothing can be learned");
  if (labels.size() == rows() && rows() > 2)
    throw Error(ErrorKind::data, label_, "has a label of its own for each of its " + std::to_string(rows()) + " rows",
                "the last column is the label: name the columns in the order text,label");
}

Examples::Examples(std::string path) : path_(std::move(path)), stamp_(stamp_of(path_)) {}

void Examples::expect_unchanged() const {
  if (stamp_of(path_) != stamp_)
    throw attn::Error(attn::ErrorKind::input, path_, "was changed during training",
                      "restore it and go on with --resume from the last epoch");
}

Part::Part(std::shared_ptr<const Examples> whole, std::vector<std::size_t> rows)
    : Examples(whole->path()), whole_(std::move(whole)), rows_(std::move(rows)) {
  hash_.add(whole_->hash());
  for (const std::size_t row : rows_) {
    hash_.add(static_cast<std::uint64_t>(row));
    lengths_.push_back(whole_->lengths()[row]);
    if (!whole_->classes().empty()) classes_.push_back(whole_->classes()[row]);
  }
}

attn::TrainingBatch Part::batch(const std::vector<std::size_t>& rows, std::uint64_t seed, std::uint64_t stream) const {
  std::vector<std::size_t> of_whole;
  for (const std::size_t row : rows) of_whole.push_back(rows_[row]);
  return whole_->batch(of_whole, seed, stream);
}

std::pair<std::unique_ptr<const Examples>, std::unique_ptr<const Examples>> hold_out(
    std::shared_ptr<const Examples> whole, double share, std::uint64_t seed) {
  const std::size_t count = whole->lengths().size();
  std::vector<std::size_t> held = attn::held_out_rows(count, whole->classes(), share, seed), rest;
  for (std::size_t i = 0; i < count; ++i)
    if (!std::binary_search(held.begin(), held.end(), i)) rest.push_back(i);
  if (rest.empty() || held.empty())
    throw Error(ErrorKind::usage, "--valid",
                "holds out " + std::to_string(held.size()) + " of " + std::to_string(count) + " rows",
                "give a share that leaves some on both sides");
  return {std::make_unique<Part>(whole, std::move(rest)), std::make_unique<Part>(whole, std::move(held))};
}

Lines::Lines(const std::string& operand, const attn::TrainingText& texts) : Examples(operand), texts_(texts) {
  attn::io::ByteInput input(operand);
  label_ = input.label();
  text_ = input.take_rest();
  const std::string_view text = text_.text();
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    throw Error(ErrorKind::data, label_, "is a binary file, such as HDF5", "this model learns from lines of text");
  std::vector<std::size_t> begins;
  for (std::size_t begin = 0; begin < text.size(); begin = std::min(text.find('\n', begin), text.size() - 1) + 1)
    begins.push_back(begin);
  if (begins.empty()) throw Error(ErrorKind::input, label_, "has no lines");
  read_all(begins);
}

Lines::Lines(std::shared_ptr<const TextTable> table, const attn::TrainingText& texts)
    : Examples(table->path()), texts_(texts), label_(table->path()), table_(std::move(table)) {
  texts_.expect_columns(table_->columns(), table_->label());
  std::vector<std::size_t> rows(table_->rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  read_all(rows);
}

void Lines::read_all(const std::vector<std::size_t>& begins) {
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    try {
      add(begins[i], i + 1);
    } catch (const Error& error) {
      throw Error(error.kind(), label_ + (table_ != nullptr ? ": row " : ":") + number, error.what());
    }
    if (table_ == nullptr)
      hash_.add(line_at(begins[i]));
    else
      for (const std::string& cell : table_->row(i)) hash_.add(cell);
  }
  if (texts_.joins_lines()) end_text_in_blocks(0);
  for (const attn::text::Span& block : blocks_) lengths_.push_back(block.size());
}

attn::TrainingExample Lines::example_at(std::size_t begin) const {
  return table_ != nullptr ? texts_.read(table_->row(begin)) : texts_.read(std::string(line_at(begin)));
}

void Lines::add(std::size_t begin, std::size_t number) {
  if (texts_.joins_lines())
    return add_to_blocks(texts_.tokens_of(table_ != nullptr ? table_->row(begin)[0] : std::string(line_at(begin))));
  const attn::TrainingExample example = example_at(begin);
  if (example.is_cut) cut_.add(number);
  if (texts_.block_length() > 0 && example.source.size() > texts_.block_length()) {
    in_blocks_.add(number);
    const std::size_t first = block_tokens_.size();
    add_to_blocks(example.source);
    return end_text_in_blocks(first);
  }
  begins_.push_back(begin);
  lengths_.push_back(example.length());
  if (texts_.has_classes()) classes_.push_back(example.target.front());
}

void Lines::add_to_blocks(const std::vector<std::int64_t>& tokens) {
  share_.grow(tokens.size() * sizeof(std::int32_t));
  for (const std::int64_t id : tokens) block_tokens_.push_back(static_cast<std::int32_t>(id));
}

/// Cuts the tokens from `first` on into blocks. A last token alone is learned after the one before it.
void Lines::end_text_in_blocks(std::size_t first) {
  const std::size_t size = block_tokens_.size(), most = texts_.block_length();
  if (size < first + 2) throw Error(ErrorKind::data, label_, "has fewer than two tokens, and none can be learned");
  for (std::size_t begin = first; begin < size; begin += most) {
    const std::size_t end = std::min(begin + most, size);
    blocks_.push_back({std::min(begin, end - 2), end});
  }
}

void Lines::say(std::size_t positions, std::optional<std::size_t> max_length, cli::Report& report) const {
  const std::string to = "the " + std::to_string(positions) + " positions of the model";
  if (cut_.count > 0 && max_length.value_or(positions) >= positions)
    report.note(label_ + ": " + cut_.text("was", "were") + " cut to " + to +
                "; --max-length N cuts to N tokens, 0 makes a longer text an error");
  if (in_blocks_.count > 0)
    report.note(label_ + ": " + in_blocks_.text("is", "are") + " longer than " + to + ": read in " +
                std::to_string(blocks_.size()) +
                " blocks; --max-length N reads all lines as one text in blocks of N, 0 makes a longer line an error");
}

std::string_view Lines::line_at(std::size_t begin) const {
  const std::string_view rest = text_.text().substr(begin), line = rest.substr(0, rest.find('\n'));
  return line.substr(0, line.size() - (!line.empty() && line.back() == '\r' ? 1 : 0));
}

attn::TrainingBatch Lines::batch(const std::vector<std::size_t>& rows, std::uint64_t seed, std::uint64_t stream) const {
  std::vector<attn::TrainingExample> examples;
  for (const std::size_t row : rows) {
    if (row < begins_.size()) {
      examples.push_back(example_at(begins_[row]));
      continue;
    }
    const attn::text::Span block = blocks_[row - begins_.size()];
    const auto tokens = block_tokens_.begin();
    attn::TrainingExample& example = examples.emplace_back();
    example.source.assign(tokens + static_cast<std::ptrdiff_t>(block.begin),
                          tokens + static_cast<std::ptrdiff_t>(block.end));
    example.types.assign(block.size(), 0);
  }
  return texts_.batch(examples, seed, stream);
}

Pictures::Pictures(const std::string& path, const attn::ModelDescription& model) : Examples(path) {
  const attn::PictureDescription& wanted = *model.source->pictures;
  if (wanted.frames > 0 || model.task != attn::Task::classify ||
      model.head->probability != attn::HeadDescription::Probability::softmax)
    throw Error(ErrorKind::usage, "the model", "has a task that cannot be trained",
                "with pictures, one class for each can; \"architectures\" in config.json names the task");
  const auto source = attn::io::open_source(path);
  pictures_ = source->read("pictures");
  labels_ = source->read("labels");
  const std::size_t count = pictures_.shape.empty() ? 0 : pictures_.shape[0];
  if (!pictures_.shape.empty() && count == 0) throw Error(ErrorKind::input, pictures_.name, "has no pictures");
  if (const attn::Shape expected{count, wanted.channels, wanted.height, wanted.width}; pictures_.shape != expected)
    throw attn::shape_error(pictures_.name, pictures_.shape,
                            attn::to_string(expected) + " = (pictures, channels, height, width)");
  if (labels_.shape != attn::Shape{count})
    throw attn::shape_error(labels_.name, labels_.shape, "(" + std::to_string(count) + "), one for each picture");
  const std::vector<std::int64_t> labels = to_integers(labels_);
  const auto known = static_cast<std::int64_t>(model.head->outputs);
  const auto wrong = std::find_if(labels.begin(), labels.end(), [&](auto x) { return x < 0 || x >= known; });
  if (wrong != labels.end())
    throw Error(ErrorKind::data, labels_.name,
                "has the label " + std::to_string(*wrong) + ", the model has 0 to " + std::to_string(known - 1));
  lengths_.assign(count, 1);
  classes_ = labels;
  for (const attn::TensorView& all : {attn::contiguous(pictures_), attn::contiguous(labels_)}) hash_.add(all);
}

attn::TrainingBatch Pictures::batch(const std::vector<std::size_t>& rows, std::uint64_t, std::uint64_t) const {
  return {{rows_of(pictures_, rows)}, std::nullopt, rows_of(labels_, rows)};
}

}  // namespace transformer_train
