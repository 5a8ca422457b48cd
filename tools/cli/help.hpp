#pragma once
// The texts about options: --help, the short help, the hint after a typo, and the tab completion of shells.

#include <attn/core/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// What an option changes.
enum class Effect : std::uint8_t {
  numbers,  ///< results: the option is in the record, with its default if it is not given
  form,     ///< which results there are, where they come from, how they are cut and stored: it is only in the history
  nothing   ///< it is in neither
};

/// One option as --help shows it.
struct OptionEntry {
  std::string group;
  std::string names;         ///< "-q,--query", or "INPUT" for a positional
  std::string metavariable;  ///< empty for a flag
  std::string description;
  std::string default_value;                                        ///< empty: none to show
  enum class Place { help, help_all, shared } place = Place::help;  ///< shared: --help only lists the name
  std::vector<std::string> values = {};                             ///< accepted words; empty: any
  bool adds_up = false;  ///< repeated, it collects values instead of replacing them
  Effect effect = Effect::nothing;
  std::optional<std::string> value = {};  ///< as parsed, once it was given
};

bool is_positional(const OptionEntry& entry);

/// Everything that --help shows.
struct HelpText {
  std::string tool, summary;
  std::string usage;  ///< what follows the tool's name; empty: options, then the positionals
  std::vector<std::string> examples;
  std::vector<OptionEntry> options;
  struct Note {
    std::string text;
    std::string option;  ///< its display name; empty: of the whole tool
  };
  std::vector<Note> notes;
};

/// At most `width` columns, except for examples. Without `all`: the most used options, and the names of shared ones.
std::string full_help(const HelpText& help, std::size_t width, bool all);
/// Examples and usage, for a tool that is started on a terminal without data.
std::string short_help(const HelpText& help);

/// "--kernel: 'epan' is not one of boxcar, ...; did you mean epanechnikov?"
attn::Error not_one_of(const std::string& option, const std::string& word, const std::vector<std::string>& known);


/// The option whose name is `word` or begins with it: "--padding-mask" for "padding"; null if none.
const OptionEntry* option_called(const std::string& word, const std::vector<OptionEntry>& known);

/// The option that sets the library's `parameter`: --rotary-width for "rotary width", or for "width" if there is no
/// --width; empty if there is none.
std::string option_of_parameter(const std::string& parameter, const std::vector<OptionEntry>& known);

/// "-q,--query" -> "-q", "--query".
std::vector<std::string> split_list(const std::string& text, char separator = ',');

/// "--base|--rotary-base" -> "--base": without the other accepted spellings.
std::string shown_names(const std::string& names);

/// The name of an option in messages: the long one if there is one.
std::string display_name(const std::string& names);

/// "--query" -> "-q, --query": all names of the option.
std::string all_names(const std::string& option, const std::vector<OptionEntry>& known);

/// The script that bash, zsh or fish loads to complete the tool's command line. Throws Error(usage) for another shell.
std::string completions(const HelpText& help, const std::string& shell);

}  // namespace cli
