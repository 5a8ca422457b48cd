#include "cli/results/companions.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"
#include "cli/selection.hpp"

#include <attn/core/error.hpp>
#include <attn/core/module.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <set>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;
using Lines = std::vector<std::string>;

/// The origin of a name: one dataset may match several patterns, but two datasets of one name cannot share an output.
struct NameOrigin {
  const attn::Source* source;
  std::string name;  ///< empty: a part of a dataset, or no dataset
  std::string text;

  bool operator==(const NameOrigin& other) const {
    return source == other.source && name == other.name && !name.empty();
  }
};

const MainInput& kept_input(const Origins& origins) {
  if (!origins.main_input) throw Error(ErrorKind::usage, "--keep-input", "there is no input to keep", "leave it out");
  return *origins.main_input;
}

/// A dataset that --keep names.
struct Kept {
  attn::Source* source;
  attn::TensorInfo info;
};

/// The source to copy from.
attn::Source& carried(const SharedOptions& shared, attn::Source& source) {
  return shared.keeps_stored ? source.stored() : source;
}

/// All datasets to keep, in the order of the patterns, each once.
std::vector<Kept> chosen(const SharedOptions& shared, const std::set<std::string>& results,
                         const std::string& main_name, const std::string& output, const Origins& origins) {
  std::vector<Kept> all;
  std::map<std::string, NameOrigin> taken;
  if (shared.keep_input) {
    const MainInput& input = kept_input(origins);
    taken["x"] = {input.source, input.is_whole ? input.name : "", "the input that --keep-input writes"};
  }
  for (const std::string& pattern : shared.keep) {
    const auto clash = [&](const std::string& subject, const std::string& detail, const std::string& fix) {
      throw Error(ErrorKind::usage, "--keep " + pattern, subject + " " + detail, fix);
    };
    bool found = false;
    for (attn::Source* input : origins.sources) {
      attn::Source* const source = &carried(shared, *input);
      for (const attn::Unreadable& other : source->unreadable())
        if (matches_glob(pattern, other.name))
          throw Error(ErrorKind::data, source->label() + ":/" + other.name, other.reason, "leave it out of --keep");
      for (const attn::TensorInfo& info : source->tensors()) {
        if (!matches_glob(pattern, info.name)) continue;
        found = true;
        const NameOrigin place{input, info.name, source->label() + ":/" + info.name};
        if (results.count(info.name) > 0)
          clash(
              place.text, "has the name of the result " + info.name,
              info.name == main_name ? "rename the result, as in -o " + output + ":/other, or keep less" : "keep less");
        const auto [before, is_new] = taken.emplace(info.name, place);
        if (!is_new && !(before->second == place))
          clash(place.text, "and " + before->second.text + " have the same name",
                "keep less, or put them into one file first, with tconv --rename");
        if (is_new) all.push_back({source, info});
      }
    }
    if (!found) throw Error(ErrorKind::input, "--keep " + pattern, "no dataset of the inputs has such a name");
  }
  return all;
}

/// The attributes of the groups of kept datasets, then those of the sources.
GroupAttributes groups_of(const std::vector<Kept>& kept, const SharedOptions& shared, const Origins& origins,
                          const Note& note) {
  std::map<attn::Source*, std::set<std::string>> kept_of;
  for (const auto& [source, info] : kept) kept_of[source].insert(info.name);
  GroupAttributes all;
  for (attn::Source* input : origins.sources) {
    attn::Source* const source = &carried(shared, *input);
    const auto names = kept_of.find(source);
    if (names == kept_of.end()) continue;
    const auto is_kept = [&](const std::string& name) { return names->second.count(name) > 0; };
    std::vector<std::string> groups = selected_groups(*source, "", is_kept);
    groups.emplace_back();
    for (const std::string& group : groups) all[group].merge(attributes_of(*source, group, note));
  }
  return all;
}

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

Companions companions(const SharedOptions& shared, const std::vector<Result>& results, const std::string& main_name,
                      const std::string& output, const Origins& origins, const Note& note) {
  Companions travelling;
  if (shared.keep_input) {
    const MainInput& input = kept_input(origins);
    travelling.results.push_back({"x", input.tensor, input.attributes, input.in_blocks, input.coordinates});
  }
  std::set<std::string> names_of_results;
  for (const Result& result : results) names_of_results.insert(result.name);
  const std::vector<Kept> kept = chosen(shared, names_of_results, main_name, output, origins);
  std::map<attn::Source*, std::vector<attn::TensorInfo>> of_sources;
  for (const auto& [source, info] : kept) of_sources[source].push_back(info);
  for (const auto& [source, tensors] : of_sources) source->will_read(tensors);
  for (const auto& [source, info] : kept)
    travelling.results.push_back({info.name,
                                  source->read(info.name),
                                  attributes_of(*source, info.name, note),
                                  {},
                                  coordinates_of(*source, info.name, {})});
  travelling.groups = groups_of(kept, shared, origins, note);
  return travelling;
}

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
