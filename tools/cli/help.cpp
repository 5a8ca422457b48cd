#include "cli/help.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cli {
namespace {

constexpr std::size_t text_column = 30;

/// Names that other programs give to these options.
constexpr std::pair<const char*, const char*> other_names[] = {
    {"sep", "delim"},         {"separator", "delim"}, {"d", "delim"},
    {"dim", "axis"},          {"force", "overwrite"}, {"format", "output-format"},
    {"to", "output-format"},  {"outfile", "output"},  {"jobs", "threads"},
    {"j", "threads"},         {"cpus", "threads"},    {"cores", "threads"},
    {"silent", "quiet"},      {"tau", "temperature"}, {"bw", "bandwidth"},
    {"span", "bandwidth"},    {"kernel", "score"},    {"order", "degree"},
    {"na-values", "missing"}, {"na", "missing"},      {"band", "emit"},
    {"input", "INPUT"},       {"infile", "INPUT"},    {"file", "INPUT"},
    {"in", "INPUT"},          {"i", "INPUT"}};

/// "-q, --query OPERAND"; a long name without a letter is indented to line up with the others.
std::string left_side(const OptionEntry& entry) {
  if (is_positional(entry)) return entry.names;
  std::string text = attn::listed(split_list(entry.names));
  if (attn::starts_with(text, "--")) text = "    " + text;
  if (!entry.metavariable.empty()) text += " " + entry.metavariable;
  return text;
}

/// Appends words to the text, broken at `width` and indented.
void append_wrapped(std::string& out, const std::string& words, std::size_t column, std::size_t indent,
                    std::size_t width) {
  bool first = true;
  for (const std::string& word : split_list(words, ' ')) {
    if (!first && column + 1 + word.size() > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    first = false;
  }
  out += '\n';
}

void append_option(std::string& out, const OptionEntry& entry, std::size_t width) {
  std::string left = "  " + left_side(entry);
  if (left.size() + 2 > text_column)
    left += '\n' + std::string(text_column, ' ');
  else
    left.resize(text_column, ' ');
  out += left;
  std::string words = entry.description;
  for (const std::string& value : entry.values) words += (&value == &entry.values.front() ? ": " : ", ") + value;
  if (entry.adds_up) words += "; may be repeated";
  if (!entry.default_value.empty()) words += " (default " + entry.default_value + ")";
  append_wrapped(out, words, text_column, text_column, width);
}

std::string opening(const HelpText& help, std::size_t width) {
  std::string out, usage = help.usage.empty() ? "[OPTION]..." : help.usage;
  append_wrapped(out, help.tool + ": " + help.summary, 0, 2, width);
  out += '\n';
  for (const std::string& line : help.examples) out += "  " + line + '\n';
  if (!help.examples.empty()) out += '\n';
  for (const OptionEntry& entry : help.options)
    if (help.usage.empty() && is_positional(entry)) usage += " [" + entry.names + "]";
  append_wrapped(out, "usage: " + help.tool + ' ' + usage, 0, 7, width);
  return out;
}

/// The last lines of --help: the syntax of operands, and the names of the options that only --help-all explains.
void append_rest(std::string& out, const HelpText& help, std::size_t width) {
  out += '\n';
  append_wrapped(
      out,
      "OPERAND: FILE, 'FILE:/NAME' (a column or dataset), - for standard input, or numbers such as 3=5,10,20 "
      "and linspace=0,90,91.",
      0, 0, width);
  std::string shared;
  for (const OptionEntry& entry : help.options)
    if (entry.place == OptionEntry::Place::shared) shared += ' ' + split_list(entry.names).front();
  out += '\n';
  append_wrapped(out, help.tool + " --help-all explains all options. Options of all tools, see attnutils(7):" + shared,
                 0, 0, width);
}

}  // namespace

bool is_positional(const OptionEntry& entry) { return entry.names.front() != '-'; }

std::string full_help(const HelpText& help, std::size_t width, bool all) {
  std::string out = opening(help, width);
  std::vector<std::string> groups;
  for (const OptionEntry& entry : help.options)
    if (std::find(groups.begin(), groups.end(), entry.group) == groups.end()) groups.push_back(entry.group);
  for (const std::string& group : groups) {
    std::string options;
    for (const OptionEntry& entry : help.options)
      if (entry.group == group && (all || entry.place == OptionEntry::Place::help))
        append_option(options, entry, width);
    if (!options.empty()) out += '\n' + group + ":\n" + options;
  }
  for (const std::string& note : help.notes) {
    out += '\n';
    append_wrapped(out, note, 0, 0, width);
  }
  if (!all) append_rest(out, help, width);
  return out;
}

std::string short_help(const HelpText& help) {
  return opening(help, 80) + "\n" + help.tool + " reads standard input, which is a terminal here; " + help.tool +
         " --help shows its options\n";
}

std::string closest_option(const std::string& word, const std::vector<OptionEntry>& known) {
  std::string bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  std::replace(bare.begin(), bare.end(), '_', '-');
  std::vector<std::string> names;
  for (const OptionEntry& entry : known)
    for (const std::string& name : split_list(entry.names)) {
      if (name == "-" + bare) return display_name(entry.names);  // its letter
      if (attn::starts_with(name, "--")) names.push_back(name.substr(2));
    }
  if (bare.empty()) return {};
  const auto is_known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_known(bare)) return "--" + bare;
  for (const auto& [other, ours] : other_names) {
    if (bare != other) continue;
    if (is_known(ours)) return std::string("--") + ours;
    const auto is_input = [&names = ours](const OptionEntry& entry) { return entry.names == names; };
    if (std::any_of(known.begin(), known.end(), is_input)) return std::string(ours) + " without an option";
  }
  for (const std::string& name : names)
    if (attn::starts_with(name, bare)) return "--" + name;  // an abbreviation
  std::string longest;                                      // in a longer name: --num-heads, --delimiter
  for (const std::string& name : names) {
    const bool is_part = ("-" + bare + "-").find("-" + name + "-") != std::string::npos;
    const bool begins = name.size() > 3 && attn::starts_with(bare, name);
    if ((is_part || begins) && name.size() > longest.size()) longest = name;
  }
  const std::string nearest = longest.empty() ? attn::nearest_word(bare, names) : longest;
  return nearest.empty() ? nearest : "--" + nearest;
}

const OptionEntry* option_called(const std::string& word, const std::vector<OptionEntry>& known) {
  const std::string name = "--" + word;
  const auto fits = [&](auto is_called) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const OptionEntry& entry) { return is_called(display_name(entry.names)); });
    return found == known.end() ? nullptr : &*found;
  };
  if (const auto* same = fits([&](const std::string& other) { return other == name; })) return same;
  return fits([&](const std::string& other) { return attn::starts_with(other, name + "-"); });
}

std::vector<std::string> split_list(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t stop; (stop = text.find(separator, start)) != std::string::npos; start = stop + 1)
    parts.push_back(text.substr(start, stop - start));
  parts.push_back(text.substr(start));
  return parts;
}

std::string shown_names(const std::string& names) { return names.substr(0, names.find('|')); }

std::string display_name(const std::string& names) {
  const std::string shown = shown_names(names);
  return shown.substr(shown.rfind(',') + 1);
}

std::string all_names(const std::string& option, const std::vector<OptionEntry>& known) {
  for (const OptionEntry& entry : known)
    if (display_name(entry.names) == option) return attn::listed(split_list(entry.names));
  return option;
}

std::string option_of_parameter(const std::string& parameter, const std::vector<OptionEntry>& known) {
  if (parameter.empty()) return {};
  std::string word = parameter;
  std::replace(word.begin(), word.end(), ' ', '-');
  std::string longer;
  for (const OptionEntry& entry : known) {
    const std::string name = display_name(entry.names);
    if (name == "--" + word) return name;
    const std::string end = "-" + word;
    if (name.size() > end.size() + 2 && attn::ends_with(name, end)) longer = name;
  }
  return longer;
}

}  // namespace cli
