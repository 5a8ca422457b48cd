#pragma once
// The declaration of a tool's command line. CLI11 parses it behind this header, so that CLI11 is compiled once.

#include "cli/help.hpp"
#include "cli/operands.hpp"
#include "cli/record.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// The words for an enumeration's values, in the order of --help.
template <class Enum>
using Choices = std::vector<std::pair<std::string, Enum>>;

/// The first word that means the value; empty if none does.
template <class Enum>
std::string word_of(const Choices<Enum>& choices, Enum value) {
  for (const auto& [word, meaning] : choices)
    if (meaning == value) return word;
  return {};
}

/// A tool's command line. Each function binds an option to a variable: its value before parsing is the default that
/// --help shows, so a parameter struct's initialisers stay the single source of truth. `names` is "--causal" or
/// "-q,--query"; accepted spellings that --help does not show follow a bar, "--base|--rotary-base", also in words of
/// an enumeration. A description is one line that begins with its metavariable in capitals: "H: bandwidth, > 0".
class Command {
 public:
  Command(std::string name, std::string summary);
  ~Command();

  /// Shown at the top of --help, in this order. Two or three, runnable.
  Command& example(const std::string& line);
  /// The heading in --help of the options declared after it.
  Command& group(const std::string& heading);
  /// The usage line after the tool's name, if options are required: "-m FOLDER [OPTION]... [INPUT]".
  Command& usage(const std::string& words);
  /// One or two sentences below the options, in --help only if that shows the option that they are about.
  Command& note(const std::string& paragraph, const std::string& option = "");

  // Operands.
  void input(Input& input, const std::string& description = "input tensor");  ///< the one positional INPUT
  /// Several inputs: `more` has the words after the first.
  void input(Input& input, std::vector<std::string>& more, const std::string& description);
  void input(const std::string& names, Input& input, const std::string& description);  ///< required
  void input(const std::string& names, OptionalInput& input, const std::string& description);
  /// A tensor each time: `inputs` begins with one that is not given, and has one for each operand.
  void repeatable(const std::string& names, std::deque<OptionalInput>& inputs, const std::string& description);
  /// Rows of several inputs belong together, so the tool itself omits rows with missing values: `missing` receives the
  /// value of --missing, and tables are read with NaN instead of `omit`.
  void rows_belong_together(attn::io::TableOptions::Missing& missing) { missing_ = &missing; }
  attn::io::TableOptions::Missing* missing_rows() const noexcept { return missing_; }
  /// -o, -O, -f ...; every tool that writes tensors calls it once.
  void output(Output& output);

  // Values. An option takes exactly one value; a flag takes none. Only a TEXT may be empty. Given twice, an option that
  // takes a set (names, patterns, indices, curves) collects all values, and --help says that it may be repeated; of a
  // scalar and of a vector (extents, an order of axes), the last value counts.
  void flag(const std::string& names, bool& value, const std::string& description);
  void flag(const std::string& names, const std::string& description, std::function<void()> set);
  void option(const std::string& names, std::string& value, const std::string& description);
  void option(const std::string& names, double& value, const std::string& description);
  void option(const std::string& names, std::int64_t& value, const std::string& description);
  void option(const std::string& names, std::size_t& value, const std::string& description);
  void option(const std::string& names, std::optional<std::string>& value, const std::string& description);
  void option(const std::string& names, std::optional<double>& value, const std::string& description);
  void option(const std::string& names, std::optional<std::int64_t>& value, const std::string& description);
  void option(const std::string& names, std::optional<std::size_t>& value, const std::string& description);
  /// A set of words, "NAME,...".
  void option(const std::string& names, std::vector<std::string>& value, const std::string& description);
  /// A vector of integers, "N,...".
  void option(const std::string& names, std::vector<std::int64_t>& value, const std::string& description);
  /// A set of integers, "N,..."; --help shows `none` for the empty set.
  void repeatable(const std::string& names, std::vector<std::int64_t>& value, const std::string& description,
                  const std::string& none);
  /// Any other value: `set` parses the word or throws Error(usage). --help shows `shown` as the default.
  void option(const std::string& names, const std::string& shown, const std::string& description,
              std::function<void(const std::string& word)> set);
  /// The same for a set, of which each word is a part.
  void repeatable(const std::string& names, const std::string& description,
                  std::function<void(const std::string& word)> set);
  /// The accepted words of the option declared last, for --help and completions.
  void values(const std::vector<std::string>& words);
  /// Any number of operands.
  void positionals(const std::string& name, std::vector<std::string>& value, const std::string& description);

  /// One of several names; --help lists them, and so does the error for any other name.
  template <class Enum>
  void option(const std::string& names, Enum& value, const Choices<Enum>& choices, const std::string& description) {
    std::vector<std::string> words;
    std::string current;
    for (const auto& [word, meaning] : choices) {
      words.push_back(word);
      if (meaning == value) current = word;
    }
    choice(names, words, current, description, [&value, choices](std::size_t i) { value = choices[i].second; });
  }
  /// The same without a variable: `set` receives the choice.
  template <class Enum>
  void option(const std::string& names, Enum shown, const Choices<Enum>& choices, const std::string& description,
              std::function<void(Enum)> set) {
    std::vector<std::string> words;
    std::string current;
    for (const auto& [word, meaning] : choices) {
      words.push_back(word);
      if (meaning == shown) current = word;
    }
    choice(names, words, current, description, [set, choices](std::size_t i) { set(choices[i].second); });
  }
  template <class Enum>
  void option(const std::string& names, std::optional<Enum>& value, const Choices<Enum>& choices,
              const std::string& description) {
    std::vector<std::string> words;
    for (const auto& choice : choices) words.push_back(choice.first);
    choice(names, words, "", description, [&value, choices](std::size_t i) { value = choices[i].second; });
  }

  // For run_tool.

  /// What the options declared next change, unless this says otherwise numbers; returns the effect before.
  Effect changes(Effect effect);
  /// Where help explains the options declared next: in --help, or only in --help-all.
  Command& explained_in(OptionEntry::Place place);
  /// Long names of options declared before that only --help-all explains.
  Command& seldom(const std::vector<std::string>& options);

  enum class Request { run, help, help_all, version, completions };
  /// Sets the variables. Throws Error(usage) for an invalid command line.
  Request parse(const std::vector<std::string>& arguments);

  const HelpText& help() const noexcept;
  /// Was the option of that display name ("--stats") on the command line?
  bool was_given(const std::string& option) const;
  Output* output() const noexcept;  ///< as declared, or null
  /// All inputs in the order of declaration, the stage's own first.
  const std::vector<Input*>& inputs() const noexcept;
  /// The command line, quoted for a shell, without the options that change nothing of the results.
  std::string provenance() const;
  /// The options that change numbers.
  RecordEntries record() const;

 private:
  void choice(const std::string& names, const std::vector<std::string>& words, const std::string& current,
              const std::string& description, std::function<void(std::size_t)> chosen);
  struct Parser;
  std::unique_ptr<Parser> parser_;
  attn::io::TableOptions::Missing* missing_ = nullptr;
};

}  // namespace cli
