#include "cli/command.hpp"

#include "cli/command/parser.hpp"
#include "cli/numbers.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace cli {

using attn::Error;
using attn::ErrorKind;

namespace {

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

Error not_one_of(const std::string& option, const std::string& word, const std::vector<std::string>& known) {
  std::string meant = attn::nearest_word(word, known);
  const auto start =
      std::find_if(known.begin(), known.end(), [&](const auto& name) { return attn::starts_with(name, word); });
  if (word.size() > 1 && start != known.end()) meant = *start;
  return {ErrorKind::usage, option, "'" + word + "' is not one of " + attn::listed(known),
          meant.empty() ? "" : "did you mean " + meant + "?"};
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

Command& Command::note(const std::string& paragraph) {
  parser_->help.notes.push_back(paragraph);
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
