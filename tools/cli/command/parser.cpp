#include "cli/command/parser.hpp"

#include "cli/printable.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <sys/stat.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace cli {
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

}  // namespace

std::pair<std::string, std::string> split_metavariable(const std::string& description, const std::string& otherwise) {
  const auto colon = description.find(": ");
  if (colon == 0 || colon == std::string::npos) return {otherwise, description};
  const std::string front = description.substr(0, colon);
  if (front.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,.|:=[]/-") != std::string::npos)
    return {otherwise, description};
  return {front, description.substr(colon + 2)};
}

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
      const std::string meant = closest_option(name, help.options);
      throw Error(ErrorKind::usage, name, "unknown option",
                  meant.empty() ? "see " + help.tool + " --help" : "did you mean " + meant + "?");
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
  if (operands.size() > most_positionals) return true;
  struct stat ignored;
  return output != nullptr && output->makes_tensors() && attn::io::format_from_path(operands.back()) &&
         stat(operands.back().c_str(), &ignored) != 0;
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
                "see " + help.tool + " --help");
  if (operands.empty()) return;
  for (const std::string& word : operands) provenance += " " + shell_quoted(word);
  take_positionals(operands);
}

void Command::Parser::check_required() const {
  for (const std::string& name : required)
    if (!was_given(name)) throw Error(ErrorKind::usage, name, "is required", "see " + help.tool + " --help");
}

}  // namespace cli
