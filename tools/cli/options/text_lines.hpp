#pragma once
// Lines of text as input: the words of the command line, or the lines of a file or of standard input.

#include "cli/inputs.hpp"
#include "cli/report.hpp"
#include "cli/shared_options.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// Lines of one kind, for a note.
struct CountedLines {
  std::size_t first = 0, count = 0;

  void add(std::size_t line);
  /// "line 3 was", or "2 lines (the first is line 3) were".
  std::string text(const std::string& verb_of_one, const std::string& verb_of_several) const;
};

/// Notes that a model has fewer positions than --max-length allows.
void note_positions(std::optional<std::size_t> max_length, std::size_t positions, Report& report);

class TextLines {
 public:
  /// Largest number of bytes that next() returns, except for the last line.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;

  /// words: one text each; empty: the lines of standard input, without line ends (\n or \r\n).
  TextLines(std::vector<std::string> words, Inputs& inputs) : words_(std::move(words)), inputs_(inputs) {}
  /// The lines of the file that `input` names, or of standard input.
  TextLines(Input input, Inputs& inputs) : input_(std::move(input)), inputs_(inputs) {}

  /// The next lines, at most `most` and about a megabyte; empty at the end. From a pipe, the lines that are already
  /// there, at least one.
  std::vector<std::string> next(std::size_t most);
  /// Only the lines whose first byte lies in this part of the bytes of standard input. Throws Error(usage) unless it is
  /// a file.
  void take(const Shard& shard);
  /// Lines are JSON: notes the first that has a field beside its texts.
  void are_json(Report& report) { report_ = &report; }
  /// Lines before the part.
  std::size_t skipped() const noexcept { return skipped_; }
  /// All remaining lines; waits for them.
  std::vector<std::string> all();

 private:
  std::vector<std::string> words_;
  Input input_;
  Inputs& inputs_;
  void note_fields(const std::vector<std::string>& lines);

  Report* report_ = nullptr;  ///< for a note that is still to be written
  bool done_ = false;
  std::size_t first_ = 0, last_ = static_cast<std::size_t>(-1);  ///< bytes in which lines may begin
  std::size_t at_ = 0, skipped_ = 0;
  std::size_t looked_at_ = 0;
};

}  // namespace cli
