#include "transformer-train/lines.hpp"

#include <attn/core/error.hpp>

#include <algorithm>

namespace transformer_train {

using attn::Error;
using attn::ErrorKind;

Lines::Lines(const std::string& operand, const attn::TrainingText& texts) : Examples(operand), texts_(texts) {
  attn::io::ByteInput input(operand);
  label_ = input.label();
  text_ = input.take_rest();
  const std::string_view text = text_.text();
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    throw Error(ErrorKind::data, label_, "is a binary file, such as HDF5", "this model learns from lines of text");
  for (std::size_t begin = 0; begin < text.size(); begin = std::min(text.find('\n', begin), text.size() - 1) + 1) {
    const std::size_t row = begins_.size();
    begins_.push_back(begin);
    lengths_.push_back(tokens_of(row).length());
    hash_.add(line(row));
  }
  if (begins_.empty()) throw Error(ErrorKind::input, label_, "has no lines");
}

std::string_view Lines::line(std::size_t row) const {
  const std::string_view rest = text_.text().substr(begins_[row]), line = rest.substr(0, rest.find('\n'));
  return line.substr(0, line.size() - (!line.empty() && line.back() == '\r' ? 1 : 0));
}

attn::TrainingExample Lines::tokens_of(std::size_t row) const {
  try {
    return texts_.read(std::string(line(row)));
  } catch (const Error& error) {
    throw Error(error.kind(), label_ + ":" + std::to_string(row + 1), error.what());
  }
}

attn::TrainingBatch Lines::batch(const std::vector<std::size_t>& rows, std::uint64_t seed, std::uint64_t stream) const {
  std::vector<attn::TrainingExample> examples;
  for (const std::size_t row : rows) examples.push_back(tokens_of(row));
  return texts_.batch(examples, seed, stream);
}

}  // namespace transformer_train
