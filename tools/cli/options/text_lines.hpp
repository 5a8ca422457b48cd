#pragma once
// Lines of text to work on: the words of the command line, or those of a file or of standard input.

#include "cli/inputs.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cli {

class TextLines {
 public:
  /// Bytes of which next() gives no more, but for the last line.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;

  /// words: one text each; none: the lines of standard input, without their ends (\n or \r\n).
  TextLines(std::vector<std::string> words, Inputs& inputs) : words_(std::move(words)), inputs_(inputs) {}
  /// The lines of the file that it names, or of standard input.
  TextLines(Input input, Inputs& inputs) : input_(std::move(input)), inputs_(inputs) {}

  /// The next lines, at most `most` and of long ones a megabyte; none when there are no more. Of a pipe that is being
  /// written to, those that are there already, at least one.
  std::vector<std::string> next(std::size_t most);
  /// All that are left, waited for.
  std::vector<std::string> all();

 private:
  std::vector<std::string> words_;
  Input input_;
  Inputs& inputs_;
  bool done_ = false;
};

}  // namespace cli
