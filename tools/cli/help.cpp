#include "cli/help.hpp"

#include "cli/standard_text.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cstddef>

namespace cli {
namespace {

constexpr std::size_t text_column = 30;

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
      "(a vector of 3) and linspace=0,90,91.",
      0, 0, width);
  std::string shared;
  for (const OptionEntry& entry : help.options)
    if (entry.place == OptionEntry::Place::shared) shared += ' ' + split_list(entry.names).front();
  out += '\n';
  append_wrapped(out, help.tool + " --help-all explains all options. Options of all tools, see attnutils(7):" + shared,
                 0, 0, width);
}

enum class Takes { nothing, word, list, file, folder, anything };

Takes what_takes(const OptionEntry& option) {
  const std::string& value = option.metavariable;
  const auto begins = [&](const std::string& front) { return attn::starts_with(value, front); };
  if (value.empty()) return Takes::nothing;
  if (!option.values.empty()) return begins("NAME,") ? Takes::list : Takes::word;
  if (begins("FOLDER")) return Takes::folder;
  return begins("OPERAND") || begins("FILE") ? Takes::file : Takes::anything;
}

std::string replaced(const std::string& text, char from, const std::string& to) {
  std::string result;
  for (const char c : text) result += c == from ? to : std::string(1, c);
  return result;
}

/// "weights lse topk=": "topk=K" without the number.
std::string words_of(const OptionEntry& option) {
  return attn::listed(option.values, " ", [](const std::string& value) {
    return value.substr(0, std::min(value.find('='), value.size() - 1) + 1);
  });
}

/// The help text up to the first semicolon or the default.
std::string summary_of(const OptionEntry& option) {
  const std::string& text = option.description;
  return text.substr(0, std::min(text.find("; "), text.find(" (default ")));
}

/// Sets the words offered for a value; without an answer, readline completes file names.
std::string bash_commands(const OptionEntry& option) {
  const std::string words = " -W " + shell_quoted(words_of(option)) + " -- ";
  switch (what_takes(option)) {
    case Takes::word: return "COMPREPLY=($(compgen" + words + "\"$word\"))";
    case Takes::list: return R"(COMPREPLY=($(compgen -P "${word%"${word##*,}"}")" + words + R"("${word##*,}")))";
    case Takes::folder: return "compopt -o dirnames +o default";
    case Takes::anything: return "compopt +o default";
    default: return "";
  }
}

std::string bash_completions(const HelpText& help) {
  const std::string function = "_" + replaced(help.tool, '-', "_");
  std::string cases, once, again;
  for (const OptionEntry& option : help.options) {
    if (is_positional(option)) continue;
    (option.adds_up ? again : once) += ' ' + option.names;
    const std::string commands = bash_commands(option);
    if (!commands.empty()) cases += "    " + replaced(option.names, ',', " | ") + ") " + commands + " ;;\n";
  }
  // bash splits --option=value into three words. An option already given is not offered again.
  return function + R"(() {
  local IFS=$' \t\n' word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} names name
  if [[ $word == = ]]; then
    word=
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  local given=" ${COMP_WORDS[*]:0:COMP_CWORD} " offered=')" +
         replaced(again, ',', " ") + R"('
  # What follows FILE:/. A colon outside of quotes parts words.
  if [[ $option == : && $word == /* ]]; then
    names=${COMP_WORDS[COMP_CWORD - 2]}:
  elif [[ $word == *:/* ]]; then
    names=
    word=${word#[\"\']}
  else
    names=none
  fi
  if [[ $names != none ]]; then
    mapfile -t COMPREPLY < <(command "${COMP_WORDS[0]}" --completions "${names//\\/}$word" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]#"${names//\\/}"}")
    return
  fi
  case $option in
)" + cases +
         R"(    *)
      [[ $word == -* && $given != *' -- '* ]] || return
      for names in)" +
         once + R"(; do
        for name in ${names//,/ }; do
          [[ $given == *" $name "* ]] && continue 2
        done
        offered+=" ${names//,/ }"
      done
      COMPREPLY=($(compgen -W "$offered" -- "$word"))
      ;;
  esac
  [[ ${COMPREPLY-} == *= ]] && compopt -o nospace
} && complete -o default -F )" +
         function + ' ' + help.tool + '\n';
}

/// Escapes characters with a meaning in a spec of _arguments.
std::string zsh_text(const std::string& text, const std::string& signs) {
  std::string quoted;
  for (const char c : text) quoted += (signs.find(c) == std::string::npos ? "" : "\\") + std::string(1, c);
  return quoted;
}

std::string zsh_action(const OptionEntry& option, const std::string& operands) {
  switch (what_takes(option)) {
    case Takes::word: return "(" + words_of(option) + ")";
    case Takes::list: return "_sequence compadd - " + words_of(option);
    case Takes::file: return operands;
    case Takes::folder: return "_files -/";
    default: return " ";  // only the message
  }
}

std::string zsh_completions(const HelpText& help) {
  const std::string operands = "_" + replaced(help.tool, '-', "_") + "_operands";
  std::string out = "#compdef " + help.tool + "\n" + operands + R"zsh(() {
  if [[ $PREFIX == *:/* ]]; then
    compadd -- ${(f)"$(command $words[1] --completions ${(Q)PREFIX} 2>/dev/null)"}
  else
    _files
  fi
}
_arguments -s -S)zsh";
  for (const OptionEntry& option : help.options) {
    out += " \\\n  ";
    if (is_positional(option)) {
      out += shell_quoted("*:" + option.names + ":" + operands);
      continue;
    }
    const bool takes_value = !option.metavariable.empty();
    // -x is followed by its value in the same word or the next, --long by = or the next word.
    const std::string specs = attn::listed(split_list(option.names), ",", [&](const std::string& name) {
      return name + (takes_value ? name.size() == 2 ? "+" : "=" : "");
    });
    std::string rest = "[" + zsh_text(summary_of(option), "\\[]") + "]";
    if (takes_value) rest += ":" + zsh_text(option.metavariable, "\\:") + ":" + zsh_action(option, operands);
    if (specs.find(',') == std::string::npos)
      out += shell_quoted((option.adds_up ? "*" : "") + specs + rest);
    else
      out += shell_quoted(option.adds_up ? "*" : "(" + replaced(option.names, ',', " ") + ")") + "{" + specs + "}" +
             shell_quoted(rest);
  }
  return out + '\n';
}

std::string fish_value(const OptionEntry& option, const std::string& operands) {
  switch (what_takes(option)) {
    case Takes::nothing: return "";
    case Takes::word: return " -x -a " + shell_quoted(words_of(option));
    case Takes::list: return " -x -a " + shell_quoted("(__fish_append , " + words_of(option) + ")");
    case Takes::file: return " -r -F -a '(" + operands + ")'";
    case Takes::folder: return " -x -a '(__fish_complete_directories)'";
    case Takes::anything: return " -x";
  }
  return "";
}

std::string fish_completions(const HelpText& help) {
  const std::string operands = "__" + replaced(help.tool, '-', "_") + "_operands";
  std::string out = "function " + operands + R"(
  set --local word (commandline -ct | string replace -r -- '^--[a-z0-9-]*=' '')
  string match -q -- '*:/*' $word; and command )" +
                    help.tool + R"( --completions $word 2>/dev/null
end
)";
  if (std::none_of(help.options.begin(), help.options.end(), is_positional))
    out += "complete -c " + help.tool + " -f\n";  // without it, fish offers file names
  else
    out += "complete -c " + help.tool + " -a '(" + operands + ")'\n";
  for (const OptionEntry& option : help.options) {
    if (is_positional(option)) continue;
    out += "complete -c " + help.tool;
    for (const std::string& name : split_list(option.names))
      out += name.size() == 2 ? " -s " + name.substr(1) : " -l " + name.substr(2);
    out += fish_value(option, operands) + " -d " + shell_quoted(summary_of(option)) + '\n';
  }
  return out;
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
  const auto is_shown = [&](const std::string& option) {
    return std::any_of(help.options.begin(), help.options.end(), [&](const OptionEntry& entry) {
      return display_name(entry.names) == option && entry.place == OptionEntry::Place::help;
    });
  };
  for (const HelpText::Note& note : help.notes) {
    if (!all && !note.option.empty() && !is_shown(note.option)) continue;
    out += '\n';
    append_wrapped(out, note.text, 0, 0, width);
  }
  if (!all) append_rest(out, help, width);
  return out;
}

std::string short_help(const HelpText& help) {
  return opening(help, 80) + "\n" + help.tool + " reads standard input, which is a terminal here; " + help.tool +
         " --help shows its options\n";
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

attn::Error not_one_of(const std::string& option, const std::string& word, const std::vector<std::string>& known) {
  std::string meant = attn::nearest_word(word, known);
  const auto start =
      std::find_if(known.begin(), known.end(), [&](const auto& name) { return attn::starts_with(name, word); });
  if (word.size() > 1 && start != known.end()) meant = *start;
  return {attn::ErrorKind::usage, option, "'" + word + "' is not one of " + attn::listed_near(word, known),
          meant.empty() ? "" : "did you mean " + meant + "?"};
}

std::string completions(const HelpText& help, const std::string& shell) {
  if (shell == "bash") return bash_completions(help);
  if (shell == "zsh") return zsh_completions(help);
  if (shell == "fish") return fish_completions(help);
  throw not_one_of("--completions", shell, {"bash", "zsh", "fish"});
}

}  // namespace cli
