#include "cli/results/history.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/core/module.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>

namespace cli {
namespace {

constexpr std::size_t most_bytes = 60000, most_of_a_line = 6000;

/// The line. A long line is reduced to its beginning, the number of omitted bytes, and its end.
std::string shortened(const std::string& line) {
  if (line.size() <= most_of_a_line) return line;
  constexpr std::size_t room_to_say = 100, end_bytes = 200;
  const auto is_within_character = [&line](std::size_t at) { return (line[at] & 0xc0) == 0x80; };
  std::size_t begin = most_of_a_line - room_to_say - end_bytes, end = line.size() - end_bytes;
  while (begin > 0 && is_within_character(begin)) --begin;
  while (end < line.size() && is_within_character(end)) ++end;
  return line.substr(0, begin) + "[... " + std::to_string(end - begin) + " bytes left out ...]" + line.substr(end);
}

std::string utc(std::time_t seconds) {
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text, length);
}

/// The time in front of the line, or empty.
std::string clock_text(bool with_clock) {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  if (epoch != nullptr && *epoch != '\0') {
    const std::int64_t seconds = parse_int64("SOURCE_DATE_EPOCH", epoch);
    constexpr std::int64_t end_of_9999 = 253402300799;
    if (seconds < 0 || seconds > end_of_9999)
      throw attn::Error(attn::ErrorKind::usage, "SOURCE_DATE_EPOCH",
                        "'" + std::string(epoch) + "' is no time from 1970 to 9999 in seconds");
    return utc(seconds) + " ";
  }
  return with_clock ? utc(std::time(nullptr)) + " " : "";
}

std::string without_clock(const std::string& line) {
  constexpr std::size_t of_clock = sizeof "2024-01-31T00:00:00Z ";
  return line.size() >= of_clock && line[10] == 'T' && line[19] == 'Z' ? line.substr(of_clock - 1) : line;
}

using Lines = std::vector<std::string>;

/// Merges a history into `lines`. Histories may share lines, and may repeat a command: each line occurs as often as in
/// the history that has it most often.
void add_lines(const std::string& text, Lines& lines) {
  std::map<std::string, std::ptrdiff_t> times;
  for (std::string& line : split_list(text, '\n'))
    if (!line.empty() && std::count(lines.begin(), lines.end(), line) < ++times[line]) lines.push_back(std::move(line));
}

void add_lines(const attn::Source& source, Lines& lines) {
  for (const std::string& text : attn::texts_of(source.attributes(), "history")) add_lines(text, lines);
}

std::string joined(const std::string& newest, const Lines& older) {
  std::string text = shortened(newest) + '\n';
  for (const std::string& whole : older) {
    const std::string line = shortened(whole);
    if (text.size() + line.size() + 1 > most_bytes) break;
    text += line + '\n';
  }
  return text;
}

}  // namespace

std::string history(const std::string& command_line, bool with_clock, const std::vector<attn::Source*>& sources) {
  Lines older;
  for (const attn::Source* source : sources) add_lines(*source, older);
  return joined(clock_text(with_clock) + command_line + "  (attnutils " + attn::version() + ")", older);
}

std::string history_beside(const attn::Source& present, const std::string& history, bool replaces, bool is_source) {
  const std::size_t end = history.find('\n');
  const std::string newest = history.substr(0, end);
  Lines older, own;
  add_lines(present, older);
  add_lines(history.substr(end), own);
  const auto drop_newest = [&newest](Lines& lines) {
    const auto is_newest = [&](const std::string& line) { return without_clock(line) == without_clock(newest); };
    lines.erase(std::remove_if(lines.begin(), lines.end(), is_newest), lines.end());
  };
  if (replaces) drop_newest(older);
  if (replaces && is_source) drop_newest(own);
  add_lines(attn::listed(own, "\n"), older);
  return joined(newest, older);
}

}  // namespace cli
