#pragma once
// Lines of text as input: the words of the command line, or the lines of a file or of standard input.

#include "cli/session.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cli {

class TextLines {
 public:
  /// Largest number of bytes that next() returns, except for the last line.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;

  /// words: one text each; empty: the lines of standard input, without line ends (\n or \r\n).
  TextLines(std::vector<std::string> words, Session& session) : words_(std::move(words)), session_(session) {}
  /// The lines of the file that `input` names, or of standard input.
  TextLines(Input input, Session& session) : input_(std::move(input)), session_(session) {}

  /// The next lines, at most `most` and about a megabyte; empty at the end. From a pipe, the lines that are already
  /// there, at least one.
  std::vector<std::string> next(std::size_t most);
  /// All remaining lines; waits for them.
  std::vector<std::string> all();

 private:
  std::vector<std::string> words_;
  Input input_;
  Session& session_;
  bool done_ = false;
};

}  // namespace cli
