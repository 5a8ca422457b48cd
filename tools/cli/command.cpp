#include "cli/command.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"
#include "cli/standard_text.hpp"
#include "cli/unknown_option.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <sys/stat.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>

namespace cli {

/// Takes the word of an option and returns what the record has of it.
using Take = std::function<std::string(const std::string& word)>;

/// The implementation of Command: options for CLI11, their help texts, and the options that were given.
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

namespace {

using attn::Error;
using attn::ErrorKind;

/// Does a word that no option took look like an option? "-", "-:/x", "-[0]" and negative numbers do not.
bool looks_like_option(const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return false;
  return word[1] != ':' && word[1] != '[' && word[1] != '.' && !(word[1] >= '0' && word[1] <= '9');
}

/// All spellings, as CLI11 takes them.
std::string accepted(std::string names) {
  std::replace(names.begin(), names.end(), '|', ',');
  return names;
}

/// In "-o -f", the value of -o is missing.
void refuse_option_as_value(const std::string& option, const std::string& word, const HelpText& help) {
  for (const OptionEntry& entry : help.options) {
    const std::vector<std::string> names = split_list(entry.names);
    if (word.front() == '-' && std::find(names.begin(), names.end(), word) != names.end())
      throw Error(ErrorKind::usage, option, "needs a value, and " + word + " is an option",
                  "a file of that name is ./" + word);
  }
}

/// "-output" would be -o with the value "utput".
void refuse_single_dash(const std::string& word, const HelpText& help) {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-') return;
  const std::string name = word.substr(0, word.find('='));
  for (const OptionEntry& entry : help.options)
    if (display_name(entry.names) == "-" + name)
      throw Error(ErrorKind::usage, name, "unknown option", "did you mean -" + name + "?");
}

/// Takes the metavariable off the front of a description: "H: bandwidth" -> "H", "bandwidth".
std::pair<std::string, std::string> split_metavariable(const std::string& description, const std::string& otherwise) {
  const auto colon = description.find(": ");
  if (colon == 0 || colon == std::string::npos) return {otherwise, description};
  const std::string front = description.substr(0, colon);
  if (front.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,.|:=[]/-") != std::string::npos)
    return {otherwise, description};
  return {front, description.substr(colon + 2)};
}

bool holds_option(const std::vector<std::string>& words, std::initializer_list<std::string_view> names) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find_first_of(words.begin(), end, names.begin(), names.end()) != end;
}

std::string text_of(double number) { return to_text(number); }
template <class Integer>
std::string text_of(Integer number) {
  return std::to_string(number);
}

template <class Value, class Number>
Take number_into(Value& value, Number (*parse)(std::string_view, std::string_view), const std::string& names) {
  return [&value, parse, name = display_name(names)](const std::string& word) {
    const Number number = parse(name, word);
    value = number;
    return text_of(number);
  };
}

/// Returns the list as parsed.
std::string add_integers(const std::string& list, const std::string& name, std::vector<std::int64_t>& value) {
  std::string parsed;
  for (const std::string& word : split_list(list)) {
    value.push_back(parse_int64(name, word));
    parsed += (parsed.empty() ? "" : ",") + std::to_string(value.back());
  }
  return parsed;
}

/// For an option that the caller parses: the record has the word.
Take as_written(std::function<void(const std::string&)> set) {
  return [set = std::move(set)](const std::string& word) {
    set(word);
    return word;
  };
}

/// An operand, which the record has by what is read.
Take operand_into(std::string& text) {
  return [&text](const std::string& word) { return text = word; };
}

}  // namespace

Command::Parser::Parser(std::string name, std::string summary) : app_(std::make_unique<CLI::App>()) {
  help.tool = std::move(name);
  help.summary = std::move(summary);
  app_->set_help_flag();
  app_->allow_extras();
}

Command::Parser::~Parser() = default;

void Command::Parser::add_entry(const std::string& names, std::string metavariable, std::string description,
                                std::string shown) {
  help.options.push_back(
      {group, shown_names(names), std::move(metavariable), std::move(description), std::move(shown), place});
}

void Command::Parser::remember(const OptionEntry& option, const std::vector<std::string>& words) {
  if (option.effect == Effect::nothing) return;
  const std::string name = display_name(option.names);
  if (words.empty()) provenance += " " + name;
  for (const std::string& word : words) provenance += " " + name + " " + shell_quoted(word);
}

bool Command::Parser::was_given(const std::string& name) const {
  return std::any_of(help.options.begin(), help.options.end(),
                     [&](const OptionEntry& option) { return option.value && display_name(option.names) == name; });
}

void Command::Parser::add(const std::string& names, const std::string& metavariable, const std::string& description,
                          const std::string& shown, bool every, Take set, Effect changed) {
  auto [variable, text] = split_metavariable(description, metavariable);
  add_entry(names, variable, text, shown);
  help.options.back().adds_up = every;
  help.options.back().effect = changed;
  const auto take = [this, at = help.options.size() - 1, set](const CLI::results_t& words) {
    OptionEntry& option = help.options[at];
    remember(option, words);
    std::string values;
    for (const std::string& word : words) {
      // Usually an unset variable of the shell; only a text may be empty.
      if (word.empty() && option.metavariable != "TEXT")
        throw Error(ErrorKind::usage, display_name(option.names), "is empty, expected " + option.metavariable,
                    "see " + help.tool + " --help");
      values += (values.empty() ? "" : ",") + set(word);
    }
    option.value = values;
    return true;
  };
  for (const std::string& name : split_list(accepted(names))) take_values_.insert(name);
  app_->add_option(accepted(names), take)
      ->type_size(1)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(every ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast);
}

void Command::Parser::add_flag(const std::string& names, const std::string& description, std::function<void()> set) {
  add_entry(names, "", description, "");
  help.options.back().effect = effect;
  const auto take = [this, at = help.options.size() - 1, set](std::int64_t count) {
    if (count == 0) return;
    remember(help.options[at], {});
    help.options[at].value = "yes";
    set();
  };
  app_->add_flag_function(accepted(names), take)->disable_flag_override();
}

void Command::Parser::parse_words(std::vector<std::string> words) {
  std::string option;  // whose value comes next; empty: none
  for (const std::string& word : words) {
    if (word == "--") break;
    if (option.empty())
      refuse_single_dash(word, help);
    else
      refuse_option_as_value(option, word, help);
    option = option.empty() && take_values_.count(word) > 0 ? word : "";
    if (word.size() > 3 && attn::starts_with(word, "--") && word.find('=') == word.size() - 1)
      throw Error(ErrorKind::usage, word.substr(0, word.size() - 1),
                  take_values_.count(word.substr(0, word.size() - 1)) > 0 ? "needs a value" : "takes no value",
                  "see " + help.tool + " --help");
  }
  std::reverse(words.begin(), words.end());
  try {
    app_->parse(std::move(words));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    std::string name = text.substr(0, text.find_first_of(": "));
    if (name.front() != '-') name.insert(0, name.size() == 1 ? "-" : "--");
    const bool missing = text.find("missing") != std::string::npos;
    throw Error(ErrorKind::usage, name, missing ? "needs a value" : "takes no value", "see " + help.tool + " --help");
  }
}

std::vector<std::string> Command::Parser::remaining_operands() const {
  std::vector<std::string> operands;
  bool only_operands = false;
  for (const std::string& word : app_->remaining()) {
    if (!only_operands && word == "--") {
      only_operands = true;
    } else if (!only_operands && looks_like_option(word)) {
      const std::string name = word.substr(0, word.find('='));
      throw Error(ErrorKind::usage, name, "unknown option", advice_on(name, help));
    } else {
      operands.push_back(word);
    }
  }
  return operands;
}

/// Is the last of several operands meant as the output, as in "cp A B"?
bool Command::Parser::ends_in_output(const std::vector<std::string>& operands) const {
  const auto is_known = [&](const OptionEntry& entry) { return display_name(entry.names) == "--output"; };
  if (operands.size() < 2 || most_positionals == 0 || was_given("--output") ||
      std::none_of(help.options.begin(), help.options.end(), is_known))
    return false;
  const auto exists = [](const std::string& path) {
    struct stat ignored;
    return stat(path.c_str(), &ignored) == 0;
  };
  if (operands.size() > most_positionals) {
    const attn::io::Operand last = attn::io::parse_operand(operands.back());
    return !last.literal && !exists(last.source);  // else it is an input, which -o would overwrite
  }
  return output != nullptr && output->makes_tensors() && attn::io::format_from_path(operands.back()) &&
         !exists(operands.back());
}

void Command::Parser::take_operands(const std::vector<std::string>& operands) {
  const bool are_too_many = operands.size() > most_positionals;
  if (ends_in_output(operands))
    throw Error(ErrorKind::usage, operands.back(),
                are_too_many ? "unexpected operand after " + operands.front() : "does not exist",
                "did you mean -o " + shell_quoted(operands.back()) + "?");
  if (are_too_many && most_positionals == 0 && !inputs.empty())
    throw Error(ErrorKind::usage, operands.front(), "unexpected operand",
                "name what is in it with an option, as in " + display_name(inputs.front()->names) + " " +
                    shell_quoted(operands.front()) + ":/NAME");
  if (are_too_many)
    throw Error(ErrorKind::usage, operands[most_positionals], "unexpected operand after " + operands.front(),
                advice_on_operands(operands, help.tool));
  if (operands.empty()) return;
  for (const std::string& word : operands) provenance += " " + shell_quoted(word);
  take_positionals(operands);
}

void Command::Parser::check_required() const {
  for (const std::string& name : required)
    if (!was_given(name)) throw Error(ErrorKind::usage, name, "is required", "see " + help.tool + " --help");
}

Command::Command(std::string name, std::string summary)
    : parser_(std::make_unique<Parser>(std::move(name), std::move(summary))) {}

Command::~Command() = default;

Command& Command::example(const std::string& line) {
  parser_->help.examples.push_back(line);
  return *this;
}

Command& Command::group(const std::string& heading) {
  parser_->group = heading;
  return *this;
}

Command& Command::usage(const std::string& words) {
  parser_->help.usage = words;
  return *this;
}

Command& Command::note(const std::string& paragraph, const std::string& option) {
  parser_->help.notes.push_back({paragraph, option});
  return *this;
}

void Command::input(Input& input, const std::string& description) {
  std::string defaults;
  for (const std::string& name : input.defaults) defaults += (defaults.empty() ? "dataset " : ", else ") + name;
  parser_->inputs.push_back(&input);
  parser_->add_entry("INPUT", "", description, "standard input" + (defaults.empty() ? "" : "; " + defaults));
  parser_->most_positionals = 1;
  parser_->take_positionals = [&input](const std::vector<std::string>& words) {
    if (words.front().empty())
      throw Error(ErrorKind::usage, "INPUT", "is empty", "name a file, or leave it out to read standard input");
    input.text = words.front();
  };
}

void Command::input(Input& first, std::vector<std::string>& more, const std::string& description) {
  input(first, description);
  parser_->most_positionals = static_cast<std::size_t>(-1);
  parser_->take_positionals = [&more, take_first = std::move(parser_->take_positionals)](const auto& words) {
    take_first(words);
    more.assign(words.begin() + 1, words.end());
  };
}

void Command::input(const std::string& names, Input& input, const std::string& description) {
  parser_->required.push_back(display_name(names));
  input.option = display_name(names);
  input.names = names;
  parser_->inputs.push_back(&input);
  parser_->add(names, "OPERAND", description, "", false, operand_into(input.text), Effect::form);
}

void Command::input(const std::string& names, OptionalInput& input, const std::string& description) {
  input.option = display_name(names);
  input.names = names;
  parser_->inputs.push_back(&input);
  parser_->add(names, "OPERAND", description, "", false, operand_into(input.text), Effect::form);
}

void Command::repeatable(const std::string& names, std::deque<OptionalInput>& inputs, const std::string& description) {
  OptionalInput& first = inputs.front();
  first.option = display_name(names);
  first.names = names;
  parser_->inputs.push_back(&first);
  const auto take = [this, &inputs](const std::string& word) {
    if (inputs.front().given()) {
      inputs.push_back(inputs.front());
      parser_->inputs.push_back(&inputs.back());
    }
    return inputs.back().text = word;
  };
  parser_->add(names, "OPERAND", description, "", true, take, Effect::form);
}

void Command::output(Output& output) { parser_->output = &output; }
Output* Command::output() const noexcept { return parser_->output; }
const std::vector<Input*>& Command::inputs() const noexcept { return parser_->inputs; }

void Command::flag(const std::string& names, bool& value, const std::string& description) {
  flag(names, description, [&value] { value = true; });
}

void Command::flag(const std::string& names, const std::string& description, std::function<void()> set) {
  parser_->add_flag(names, description, std::move(set));
}

void Command::option(const std::string& names, std::string& value, const std::string& description) {
  parser_->add(names, "WORD", description, value, false, [&value](const std::string& word) { return value = word; });
}

void Command::option(const std::string& names, double& value, const std::string& description) {
  parser_->add(names, "NUMBER", description, to_text(value), false, number_into(value, parse_double, names));
}

void Command::option(const std::string& names, std::int64_t& value, const std::string& description) {
  parser_->add(names, "N", description, std::to_string(value), false, number_into(value, parse_int64, names));
}

void Command::option(const std::string& names, std::size_t& value, const std::string& description) {
  parser_->add(names, "N", description, std::to_string(value), false, number_into(value, parse_size, names));
}

void Command::option(const std::string& names, std::optional<std::string>& value, const std::string& description) {
  parser_->add(names, "WORD", description, value.value_or(""), false,
               [&value](const std::string& word) { return *(value = word); });
}

void Command::option(const std::string& names, std::optional<double>& value, const std::string& description) {
  parser_->add(names, "NUMBER", description, value ? to_text(*value) : "", false,
               number_into(value, parse_double, names));
}

void Command::option(const std::string& names, std::optional<std::int64_t>& value, const std::string& description) {
  parser_->add(names, "N", description, value ? std::to_string(*value) : "", false,
               number_into(value, parse_int64, names));
}

void Command::option(const std::string& names, std::optional<std::size_t>& value, const std::string& description) {
  parser_->add(names, "N", description, value ? std::to_string(*value) : "", false,
               number_into(value, parse_size, names));
}

void Command::option(const std::string& names, std::vector<std::string>& value, const std::string& description) {
  parser_->add(names, "NAME,...", description, attn::listed(value, ","), true,
               [&value, fresh = true](const std::string& list) mutable {
                 if (std::exchange(fresh, false)) value.clear();
                 for (std::string& word : split_list(list)) value.push_back(std::move(word));
                 return list;
               });
}

void Command::option(const std::string& names, std::vector<std::int64_t>& value, const std::string& description) {
  parser_->add(names, "N,...", description, "", false, [&value, name = display_name(names)](const std::string& list) {
    value.clear();
    return add_integers(list, name, value);
  });
}

void Command::repeatable(const std::string& names, std::vector<std::int64_t>& value, const std::string& description,
                         const std::string& none) {
  parser_->add(names, "N,...", description, none, true, [&value, name = display_name(names)](const std::string& list) {
    return add_integers(list, name, value);
  });
}

void Command::option(const std::string& names, const std::string& shown, const std::string& description,
                     std::function<void(const std::string&)> set) {
  parser_->add(names, "WORD", description, shown, false, as_written(std::move(set)));
}

void Command::repeatable(const std::string& names, const std::string& description,
                         std::function<void(const std::string&)> set) {
  parser_->add(names, "WORD", description, "", true, as_written(std::move(set)));
}

void Command::values(const std::vector<std::string>& words) { parser_->help.options.back().values = words; }

void Command::choice(const std::string& names, const std::vector<std::string>& words, const std::string& current,
                     const std::string& description, std::function<void(std::size_t)> chosen) {
  std::vector<std::string> shown;
  for (const std::string& word : words) shown.push_back(shown_names(word));
  const auto set = [name = display_name(names), words, shown, chosen](const std::string& word) {
    const auto found = std::find_if(words.begin(), words.end(), [&](const std::string& each) {
      const std::vector<std::string> spellings = split_list(each, '|');
      return std::find(spellings.begin(), spellings.end(), word) != spellings.end();
    });
    if (found == words.end()) throw not_one_of(name, word, shown);
    const auto at = static_cast<std::size_t>(found - words.begin());
    chosen(at);
    return shown[at];
  };
  const auto [variable, text] = split_metavariable(description, "NAME");
  parser_->add(names, variable, text, shown_names(current), false, set);
  values(shown);
}

void Command::positionals(const std::string& name, std::vector<std::string>& value, const std::string& description) {
  parser_->add_entry(name, "", description, "");
  parser_->most_positionals = static_cast<std::size_t>(-1);
  parser_->take_positionals = [&value](const std::vector<std::string>& words) { value = words; };
}

Effect Command::changes(Effect effect) { return std::exchange(parser_->effect, effect); }

Command& Command::explained_in(OptionEntry::Place place) {
  parser_->place = place;
  return *this;
}

Command& Command::seldom(const std::vector<std::string>& options) {
  for (OptionEntry& entry : parser_->help.options)
    if (std::find(options.begin(), options.end(), display_name(entry.names)) != options.end())
      entry.place = OptionEntry::Place::help_all;
  return *this;
}

Command::Request Command::parse(const std::vector<std::string>& arguments) {
  flag("-h,--help", "show examples and the most used options", [] {});
  flag("--help-all", "show examples and all options", [] {});
  flag("-V,--version", parser_->wants_version,
       "show the versions of the library, HDF5 and xxHash, and the instruction set in use");
  if (arguments.size() == 2 && arguments.front() == "--completions") return Request::completions;
  // Help comes before any error.
  if (holds_option(arguments, {"--help-all"})) return Request::help_all;
  if (holds_option(arguments, {"-h", "--help"})) return Request::help;
  parser_->parse_words(arguments);
  const std::vector<std::string> operands = parser_->remaining_operands();
  if (parser_->wants_version) return Request::version;
  parser_->take_operands(operands);
  parser_->check_required();
  return Request::run;
}

const HelpText& Command::help() const noexcept { return parser_->help; }

bool Command::was_given(const std::string& option) const { return parser_->was_given(option); }

std::string Command::provenance() const { return parser_->help.tool + parser_->provenance; }

RecordEntries Command::record() const {
  RecordEntries record;
  for (const OptionEntry& option : parser_->help.options) {
    if (option.effect != Effect::numbers) continue;
    const std::string none = option.metavariable.empty() ? "no" : "none";
    record.emplace_back(display_name(option.names),
                        option.value.value_or(option.default_value.empty() ? none : option.default_value));
  }
  return record;
}

}  // namespace cli
