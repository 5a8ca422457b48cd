#pragma once
// The implementation of Command: options for CLI11, their help texts, and the options that were given.

#include "cli/command.hpp"
#include "cli/help.hpp"

#include <set>

namespace CLI {
class App;
}

namespace cli {

/// Takes the metavariable off the front of a description: "H: bandwidth" -> "H", "bandwidth".
std::pair<std::string, std::string> split_metavariable(const std::string& description, const std::string& otherwise);

/// Takes the word of an option and returns what the record has of it.
using Take = std::function<std::string(const std::string& word)>;

struct Command::Parser {
  Parser(std::string name, std::string summary);
  ~Parser();

  HelpText help;
  std::string group = "Options";
  OptionEntry::Place place = OptionEntry::Place::help;
  Effect effect = Effect::numbers;  ///< of the options declared next
  std::string provenance;
  Output* output = nullptr;
  std::vector<Input*> inputs;
  bool wants_version = false;
  std::vector<std::string> required;  ///< display names
  std::size_t most_positionals = 0;
  std::function<void(const std::vector<std::string>&)> take_positionals;

  void add_entry(const std::string& names, std::string metavariable, std::string description, std::string shown);
  /// An option with one value each time. With `every`, all values count and --help says so, otherwise the last.
  void add(const std::string& names, const std::string& metavariable, const std::string& description,
           const std::string& shown, bool every, Take take) {
    add(names, metavariable, description, shown, every, std::move(take), effect);
  }
  void add(const std::string& names, const std::string& metavariable, const std::string& description,
           const std::string& shown, bool every, Take take, Effect effect);
  void add_flag(const std::string& names, const std::string& description, std::function<void()> set);

  bool was_given(const std::string& name) const;
  void parse_words(std::vector<std::string> words);
  /// The words that no option took. Throws Error(usage) for a word that is no operand, such as an unknown option.
  std::vector<std::string> remaining_operands() const;
  bool ends_in_output(const std::vector<std::string>& operands) const;
  void take_operands(const std::vector<std::string>& operands);
  void check_required() const;

 private:
  void remember(const OptionEntry& option, const std::vector<std::string>& words);

  std::unique_ptr<CLI::App> app_;
  std::set<std::string> take_values_;  ///< all spellings of options with a value
};

}  // namespace cli
