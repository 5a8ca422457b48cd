#include "cli/command.hpp"

#include "cli/help.hpp"
#include "cli/numbers.hpp"

#include <attn/core/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;

/// Takes the metavariable off the front of a description: "H: bandwidth" -> "H", "bandwidth".
std::pair<std::string, std::string> split_metavariable(const std::string& description, const std::string& otherwise) {
  const auto colon = description.find(": ");
  if (colon == 0 || colon == std::string::npos) return {otherwise, description};
  const std::string front = description.substr(0, colon);
  if (front.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,.|:=[]/-") != std::string::npos)
    return {otherwise, description};
  return {front, description.substr(colon + 2)};
}

/// A word as a shell reads it back; plain words stay as they are.
std::string shell_quoted(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : c == '\n' ? std::string(" ") : std::string(1, c);
  return quoted + "'";
}

/// Does a word that no option took look like an option? "-", "-:/x", "-[0]" and negative numbers do not.
bool looks_like_option(const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return false;
  return word[1] != ':' && word[1] != '[' && word[1] != '.' && !(word[1] >= '0' && word[1] <= '9');
}

}  // namespace

struct Command::Parser {
  CLI::App app;
  HelpText help;
  std::string group = "Options";
  bool provenance_on = true, shown_in_help = true;
  std::string provenance;
  Output* output = nullptr;
  std::vector<Input*> inputs;
  bool wants_help = false, wants_version = false;
  std::vector<std::string> required, given;  ///< display names
  std::string positional_name;
  std::size_t most_positionals = 0;
  std::function<void(const std::vector<std::string>&)> take_positionals;

  void add_entry(const std::string& names, std::string metavariable, std::string description, std::string shown) {
    if (!shown_in_help) return;
    help.options.push_back({group, names, std::move(metavariable), std::move(description), std::move(shown)});
  }

  void remember(const std::string& name, const std::vector<std::string>& words, bool recorded) {
    given.push_back(name);
    if (!recorded) return;
    if (words.empty()) provenance += " " + name;
    for (const std::string& word : words) provenance += " " + name + " " + shell_quoted(word);
  }

  /// An option of one value each time it is given. With `every`, all of them count, else the last.
  void add(const std::string& names, const std::string& metavariable, const std::string& description,
           const std::string& shown, bool every, std::function<void(const std::string&)> set) {
    auto [variable, text] = split_metavariable(description, metavariable);
    add_entry(names, variable, text, shown);
    const auto take = [this, name = display_name(names), variable = variable, recorded = provenance_on,
                       set](const CLI::results_t& words) {
      remember(name, words, recorded);
      for (const std::string& word : words) {
        // Mostly a variable of the shell that was not set; only a text may be empty.
        if (word.empty() && variable != "TEXT")
          throw Error(ErrorKind::usage, name, "is empty, expected " + variable, "see " + help.tool + " --help");
        set(word);
      }
      return true;
    };
    app.add_option(names, take)
        ->type_size(1)
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(every ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast);
  }

  void add_flag(const std::string& names, const std::string& description, std::function<void()> set) {
    add_entry(names, "", description, "");
    const auto take = [this, name = display_name(names), recorded = provenance_on, set](std::int64_t count) {
      if (count == 0) return;
      remember(name, {}, recorded);
      set();
    };
    app.add_flag_function(names, take)->disable_flag_override();
  }

  void parse_words(std::vector<std::string> words) {
    for (const std::string& word : words) {
      if (word == "--") break;
      if (word.size() > 3 && word.compare(0, 2, "--") == 0 && word.find('=') == word.size() - 1)
        throw Error(ErrorKind::usage, word.substr(0, word.size() - 1), "needs a value", "see " + help.tool + " --help");
    }
    std::reverse(words.begin(), words.end());
    try {
      app.parse(std::move(words));
    } catch (const CLI::ArgumentMismatch& error) {
      const std::string text = error.what();
      std::string name = text.substr(0, text.find_first_of(": "));
      if (name.front() != '-') name.insert(0, name.size() == 1 ? "-" : "--");
      const bool missing = text.find("missing") != std::string::npos;
      throw Error(ErrorKind::usage, name, missing ? "needs a value" : "takes no value", "see " + help.tool + " --help");
    }
  }

  /// Sorts what no option took into operands and mistakes.
  void take_remaining() {
    std::vector<std::string> operands;
    bool only_operands = false;
    for (const std::string& word : app.remaining()) {
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
    if (operands.size() > most_positionals)
      throw Error(ErrorKind::usage, operands[most_positionals],
                  most_positionals == 0 ? "unexpected operand" : "unexpected operand after " + operands.front(),
                  "see " + help.tool + " --help");
    if (operands.empty()) return;
    for (const std::string& word : operands) provenance += " " + shell_quoted(word);
    take_positionals(operands);
  }

  void check_required() const {
    for (const std::string& name : required)
      if (std::find(given.begin(), given.end(), name) == given.end())
        throw Error(ErrorKind::usage, name, "is required", "see " + help.tool + " --help");
  }
};

Command::Command(std::string name, std::string summary) : parser_(std::make_unique<Parser>()) {
  parser_->help.tool = std::move(name);
  parser_->help.summary = std::move(summary);
  parser_->app.set_help_flag();
  parser_->app.allow_extras();
}

Command::~Command() = default;

Command& Command::example(const std::string& line) {
  parser_->help.examples.push_back(line);
  return *this;
}

Command& Command::group(const std::string& heading) {
  parser_->group = heading;
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
  parser_->positional_name = "INPUT";
  parser_->most_positionals = 1;
  parser_->take_positionals = [&input](const std::vector<std::string>& words) {
    if (words.front().empty())
      throw Error(ErrorKind::usage, "INPUT", "is empty", "name a file, or leave it out to read standard input");
    input.text = words.front();
  };
}

void Command::input(const std::string& names, Input& input, const std::string& description) {
  parser_->required.push_back(display_name(names));
  input.option = display_name(names);
  input.names = names;
  parser_->inputs.push_back(&input);
  parser_->add(names, "OPERAND", description, "", false, [&input](const std::string& word) { input.text = word; });
}

void Command::input(const std::string& names, OptionalInput& input, const std::string& description) {
  input.option = display_name(names);
  input.names = names;
  parser_->inputs.push_back(&input);
  parser_->add(names, "OPERAND", description, "", false, [&input](const std::string& word) { input.text = word; });
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
  parser_->add(names, "WORD", description, value, false, [&value](const std::string& word) { value = word; });
}

void Command::option(const std::string& names, double& value, const std::string& description) {
  parser_->add(names, "NUMBER", description, to_text(value), false,
               [&value, name = display_name(names)](const std::string& word) { value = parse_double(name, word); });
}

void Command::option(const std::string& names, std::int64_t& value, const std::string& description) {
  parser_->add(names, "N", description, std::to_string(value), false,
               [&value, name = display_name(names)](const std::string& word) { value = parse_int64(name, word); });
}

void Command::option(const std::string& names, std::size_t& value, const std::string& description) {
  parser_->add(names, "N", description, std::to_string(value), false,
               [&value, name = display_name(names)](const std::string& word) { value = parse_size(name, word); });
}

void Command::option(const std::string& names, std::optional<std::string>& value, const std::string& description) {
  parser_->add(names, "WORD", description, value.value_or(""), false,
               [&value](const std::string& word) { value = word; });
}

void Command::option(const std::string& names, std::optional<double>& value, const std::string& description) {
  parser_->add(names, "NUMBER", description, value ? to_text(*value) : "", false,
               [&value, name = display_name(names)](const std::string& word) { value = parse_double(name, word); });
}

void Command::option(const std::string& names, std::optional<std::int64_t>& value, const std::string& description) {
  parser_->add(names, "N", description, value ? std::to_string(*value) : "", false,
               [&value, name = display_name(names)](const std::string& word) { value = parse_int64(name, word); });
}

void Command::option(const std::string& names, std::optional<std::size_t>& value, const std::string& description) {
  parser_->add(names, "N", description, value ? std::to_string(*value) : "", false,
               [&value, name = display_name(names)](const std::string& word) { value = parse_size(name, word); });
}

void Command::option(const std::string& names, std::vector<std::string>& value, const std::string& description) {
  std::string shown;
  for (const std::string& word : value) shown += (shown.empty() ? "" : ",") + word;
  parser_->add(names, "NAME,...", description, shown, true, [&value, fresh = true](const std::string& list) mutable {
    if (std::exchange(fresh, false)) value.clear();
    for (std::string& word : split_list(list)) value.push_back(std::move(word));
  });
}

void Command::option(const std::string& names, std::vector<std::int64_t>& value, const std::string& description,
                     const std::string& none) {
  parser_->add(names, "N,...", description, none, true, [&value, name = display_name(names)](const std::string& list) {
    value.clear();
    for (const std::string& word : split_list(list)) value.push_back(parse_int64(name, word));
  });
}

void Command::option(const std::string& names, const std::string& shown, const std::string& description,
                     std::function<void(const std::string&)> set) {
  parser_->add(names, "WORD", description, shown, true, std::move(set));
}

void Command::choice(const std::string& names, const std::vector<std::string>& words, const std::string& current,
                     const std::string& description, std::function<void(std::size_t)> chosen) {
  std::string known;
  for (const std::string& word : words) known += (known.empty() ? "" : ", ") + word;
  const auto set = [name = display_name(names), words, known, chosen](const std::string& word) {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) throw Error(ErrorKind::usage, name, "'" + word + "' is not one of " + known);
    chosen(static_cast<std::size_t>(found - words.begin()));
  };
  const auto [variable, text] = split_metavariable(description, "NAME");
  parser_->add(names, variable, text + ": " + known, current, false, set);
}

void Command::positionals(const std::string& name, std::vector<std::string>& value, const std::string& description) {
  parser_->add_entry(name, "", description, "");
  parser_->positional_name = name;
  parser_->most_positionals = static_cast<std::size_t>(-1);
  parser_->take_positionals = [&value](const std::vector<std::string>& words) { value = words; };
}

Command& Command::with_provenance(bool on) {
  parser_->provenance_on = on;
  return *this;
}

Command& Command::in_help(bool on) {
  parser_->shown_in_help = on;
  return *this;
}

Command::Request Command::parse(const std::vector<std::string>& arguments) {
  flag("-h,--help", parser_->wants_help, "this text");
  flag("-V,--version", parser_->wants_version,
       "versions of the library, HDF5 and BLAS, and the instruction set in use");
  parser_->parse_words(arguments);
  if (parser_->wants_help) return Request::help;
  if (parser_->wants_version) return Request::version;
  parser_->take_remaining();
  parser_->check_required();
  return Request::run;
}

const HelpText& Command::help() const noexcept { return parser_->help; }

std::vector<std::string> Command::options_from(std::size_t first) const {
  std::vector<std::string> names;
  for (std::size_t i = first; i < parser_->help.options.size(); ++i)
    names.push_back(display_name(parser_->help.options[i].names));
  return names;
}

bool Command::was_given(const std::string& option) const {
  return std::find(parser_->given.begin(), parser_->given.end(), option) != parser_->given.end();
}

std::string Command::provenance() const { return parser_->help.tool + parser_->provenance; }

}  // namespace cli
