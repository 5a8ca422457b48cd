#include "transformer-train/lines.hpp"

#include "cli/standard_text.hpp"

#include <attn/core/error.hpp>
#include <attn/io/byte_input.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace transformer_train {

using attn::Error;
using attn::ErrorKind;

Lines::Lines(const std::string& operand, const attn::TrainingText& texts) : texts_(texts) {
  const bool is_pipe = operand == "-";
  const std::string path = is_pipe ? "standard input" : operand;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error(ErrorKind::input, path, std::strerror(EISDIR));
  std::ifstream file;
  if (!is_pipe) file.open(path, std::ios::binary);
  if (!file) throw Error(attn::io::kind_of_failed_open(errno), path, std::strerror(errno));
  std::istream& stream = is_pipe ? cli::standard_lines() : file;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    try {
      examples_.push_back(texts.read(line));
    } catch (const Error& error) {
      throw Error(error.kind(), path + ":" + std::to_string(examples_.size() + 1), error.what());
    }
    lengths_.push_back(examples_.back().length());
    hash_.add(line.data(), line.size());
  }
  if (stream.bad()) throw Error(ErrorKind::io, path, "cannot be read");
  if (examples_.empty()) throw Error(ErrorKind::input, path, "has no line");
}

attn::TrainingBatch Lines::batch(const std::vector<std::size_t>& rows, std::uint64_t seed, std::uint64_t stream) const {
  std::vector<const attn::TrainingExample*> chosen;
  for (const std::size_t row : rows) chosen.push_back(&examples_[row]);
  return texts_.batch(chosen, seed, stream);
}

}  // namespace transformer_train
