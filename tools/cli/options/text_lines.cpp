#include "cli/options/text_lines.hpp"

#include "cli/standard_text.hpp"

#include <attn/core/error.hpp>
#include <attn/text/lines.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <istream>

namespace cli {
namespace {

/// Would reading wait for the writer?
bool would_wait(std::istream& stream) {
  if (&stream == &standard_lines()) return standard_lines_would_wait();
  return stream.rdbuf()->in_avail() <= 0;  // of a named pipe; a file would have more
}

}  // namespace

void CountedLines::add(std::size_t line) {
  if (count++ == 0) first = line;
}

std::string CountedLines::text(const std::string& verb_of_one, const std::string& verb_of_several) const {
  return count == 1
             ? "line " + std::to_string(first) + ' ' + verb_of_one
             : std::to_string(count) + " lines (the first is line " + std::to_string(first) + ") " + verb_of_several;
}

void note_positions(std::optional<std::size_t> max_length, std::size_t positions, Report& report) {
  if (max_length && *max_length > positions)
    report.note("--max-length " + std::to_string(*max_length) + " is more than the " + std::to_string(positions) +
                " positions of the model, which are the limit");
}

void TextLines::note_fields(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (report_ == nullptr) return;
    ++looked_at_;
    const std::vector<std::string> unread = attn::text::unread_fields(line);
    if (unread.empty()) continue;
    report_->note("line " + std::to_string(skipped_ + looked_at_) + " has fields that are not read: " +
                  attn::listed(unread) + "; texts are text and pair, or question and context");
    report_ = nullptr;
  }
}

std::vector<std::string> TextLines::next(std::size_t most) {
  if (done_) return {};
  if (!words_.empty()) {
    done_ = true;
    note_fields(words_);
    return words_;
  }
  std::istream& stream = inputs_.text(input_);
  // The writer may wait for the answer to this line before it writes the next.
  if (would_wait(stream)) flush_text();
  const std::string label = input_.text.empty() || input_.text == "-" ? "standard input" : input_.text;
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (std::string line; lines.size() < most && bytes < most_bytes && (lines.empty() || !would_wait(stream));) {
    errno = 0;
    if (!std::getline(stream, line)) {
      if (stream.bad())
        throw attn::Error(attn::ErrorKind::io, label, std::string("cannot be read: ") + std::strerror(errno));
      done_ = true;
      break;
    }
    if (at_ == 0 && line.compare(0, 2, "\x1f\x8b") == 0)
      throw attn::Error(attn::ErrorKind::data, label, "is compressed by gzip",
                        "expand it, as in gunzip -c FILE | TOOL");
    const std::size_t start = at_;
    at_ += line.size() + 1;
    if (start < first_) {
      ++skipped_;
      continue;
    }
    if (start >= last_) {
      done_ = true;
      break;
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    bytes += line.size();
    lines.push_back(std::move(line));
  }
  note_fields(lines);
  return lines;
}

void TextLines::take(const Shard& shard) {
  struct stat status;
  if (!words_.empty() || fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode))
    throw attn::Error(attn::ErrorKind::usage, "--shard", "needs a file of lines as standard input, such as <lines.txt",
                      "write the lines of a pipe to a file first");
  first_ = shard.first_of(static_cast<std::size_t>(status.st_size));
  last_ = shard.end_of(static_cast<std::size_t>(status.st_size));
}

std::vector<std::string> TextLines::all() {
  std::vector<std::string> lines;
  constexpr std::size_t at_once = 1024;
  for (auto more = next(at_once); !more.empty(); more = next(at_once))
    lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return lines;
}

}  // namespace cli
