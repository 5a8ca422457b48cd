#pragma once
// What a tool says about its options: --help, the short help, and the hint after a typo.

#include <string>
#include <vector>

namespace cli {

/// One option as --help shows it.
struct OptionEntry {
  std::string group;
  std::string names;         ///< "-q,--query", or "INPUT" for a positional
  std::string metavariable;  ///< empty for a flag
  std::string description;
  std::string default_value;                                        ///< empty: none to show
  enum class Place { help, help_all, shared } place = Place::help;  ///< shared: in --help-all too, in --help by name
  std::vector<std::string> values = {};  ///< the words that it can be, or a list of; none: anything
  bool adds_up = false;                  ///< given again, it adds to what it said before
};

bool is_positional(const OptionEntry& entry);

/// Everything that --help shows.
struct HelpText {
  std::string tool, summary;
  std::string usage;  ///< what follows the tool's name; empty: options, then the positionals
  std::vector<std::string> examples;
  std::vector<OptionEntry> options;
  std::vector<std::string> notes;
};

/// At most `width` columns, examples excepted. Without `all`, the tool's most used options, and shared ones by name.
std::string full_help(const HelpText& help, std::size_t width, bool all);
/// Examples and usage, for a tool that was called without data.
std::string short_help(const HelpText& help);

/// The known long option that `word` probably meant, or INPUT where there is one; else empty.
std::string closest_option(const std::string& word, const std::vector<OptionEntry>& known);

/// The option that a word is the name of, or the beginning of the name: "--padding-mask" for "padding"; else empty.
const OptionEntry* option_called(const std::string& word, const std::vector<OptionEntry>& known);

/// The option that sets what the library calls `parameter`: --rotary-width for "rotary width", or where there is no
/// --width for "width" too; empty where there is none.
std::string option_of_parameter(const std::string& parameter, const std::vector<OptionEntry>& known);

/// "-q,--query" -> "-q", "--query".
std::vector<std::string> split_list(const std::string& text, char separator = ',');

/// "--base|--rotary-base" -> "--base": without the other spellings that are accepted.
std::string shown_names(const std::string& names);

/// How messages name an option: its long name where it has one.
std::string display_name(const std::string& names);

/// "--query" -> "-q, --query": all the names of the option that is so called.
std::string all_names(const std::string& option, const std::vector<OptionEntry>& known);

}  // namespace cli
