#include "transformer-train/examples.hpp"

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>

#include <algorithm>

namespace transformer_train {
namespace {

using attn::Error;
using attn::ErrorKind;

std::pair<std::uintmax_t, std::filesystem::file_time_type> stamp_of(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return {};  // a pipe is kept as text, and its time changes
  return {std::filesystem::file_size(path, none), std::filesystem::last_write_time(path, none)};
}

}  // namespace

Examples::Examples(std::string path) : path_(std::move(path)), stamp_(stamp_of(path_)) {}

void Examples::expect_unchanged() const {
  if (stamp_of(path_) != stamp_)
    throw attn::Error(attn::ErrorKind::input, path_, "was changed during training",
                      "restore it and go on with --resume from the last epoch");
}

Lines::Lines(const std::string& operand, const attn::TrainingText& texts) : Examples(operand), texts_(texts) {
  attn::io::ByteInput input(operand);
  label_ = input.label();
  text_ = input.take_rest();
  const std::string_view text = text_.text();
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    throw Error(ErrorKind::data, label_, "is a binary file, such as HDF5", "this model learns from lines of text");
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size(); begin = std::min(text.find('\n', begin), text.size() - 1) + 1) {
    ++number;
    try {
      add(begin, number);
    } catch (const Error& error) {
      throw Error(error.kind(), label_ + ":" + std::to_string(number), error.what());
    }
    hash_.add(line_at(begin));
  }
  if (number == 0) throw Error(ErrorKind::input, label_, "has no lines");
  if (texts_.joins_lines()) end_text_in_blocks(0);
  for (const attn::text::Span& block : blocks_) lengths_.push_back(block.size());
}

void Lines::add(std::size_t begin, std::size_t number) {
  const std::string line(line_at(begin));
  if (texts_.joins_lines()) return add_to_blocks(texts_.tokens_of(line));
  const attn::TrainingExample example = texts_.read(line);
  if (example.is_cut) cut_.add(number);
  if (texts_.block_length() > 0 && example.source.size() > texts_.block_length()) {
    in_blocks_.add(number);
    const std::size_t first = block_tokens_.size();
    add_to_blocks(example.source);
    return end_text_in_blocks(first);
  }
  begins_.push_back(begin);
  lengths_.push_back(example.length());
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
      examples.push_back(texts_.read(std::string(line_at(begins_[row]))));
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
    throw Error(ErrorKind::usage, "the model", "is of a task that is not trained: for pictures, that is their class");
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
  for (const attn::TensorView& all : {attn::contiguous(pictures_), attn::contiguous(labels_)}) hash_.add(all);
}

attn::TrainingBatch Pictures::batch(const std::vector<std::size_t>& rows, std::uint64_t, std::uint64_t) const {
  return {{rows_of(pictures_, rows)}, std::nullopt, rows_of(labels_, rows)};
}

}  // namespace transformer_train
