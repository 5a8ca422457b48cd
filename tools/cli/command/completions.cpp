#include "cli/command/completions.hpp"

#include "cli/command.hpp"
#include "cli/printable.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <algorithm>

namespace cli {
namespace {

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

std::string zsh_action(const OptionEntry& option) {
  switch (what_takes(option)) {
    case Takes::word: return "(" + words_of(option) + ")";
    case Takes::list: return "_sequence compadd - " + words_of(option);
    case Takes::file: return "_files";
    case Takes::folder: return "_files -/";
    default: return " ";  // only the message
  }
}

std::string zsh_completions(const HelpText& help) {
  std::string out = "#compdef " + help.tool + "\n_arguments -s -S";
  for (const OptionEntry& option : help.options) {
    out += " \\\n  ";
    if (is_positional(option)) {
      out += shell_quoted("*:" + option.names + ":_files");
      continue;
    }
    const bool takes_value = !option.metavariable.empty();
    // -x is followed by its value in the same word or the next, --long by = or the next word.
    const std::string specs = attn::listed(split_list(option.names), ",", [&](const std::string& name) {
      return name + (takes_value ? name.size() == 2 ? "+" : "=" : "");
    });
    std::string rest = "[" + zsh_text(summary_of(option), "\\[]") + "]";
    if (takes_value) rest += ":" + zsh_text(option.metavariable, "\\:") + ":" + zsh_action(option);
    if (specs.find(',') == std::string::npos)
      out += shell_quoted((option.adds_up ? "*" : "") + specs + rest);
    else
      out += shell_quoted(option.adds_up ? "*" : "(" + replaced(option.names, ',', " ") + ")") + "{" + specs + "}" +
             shell_quoted(rest);
  }
  return out + '\n';
}

std::string fish_value(const OptionEntry& option) {
  switch (what_takes(option)) {
    case Takes::nothing: return "";
    case Takes::word: return " -x -a " + shell_quoted(words_of(option));
    case Takes::list: return " -x -a " + shell_quoted("(__fish_append , " + words_of(option) + ")");
    case Takes::file: return " -r -F";
    case Takes::folder: return " -x -a '(__fish_complete_directories)'";
    case Takes::anything: return " -x";
  }
  return "";
}

std::string fish_completions(const HelpText& help) {
  std::string out;
  if (std::none_of(help.options.begin(), help.options.end(), is_positional))
    out += "complete -c " + help.tool + " -f\n";  // without it, fish offers file names
  for (const OptionEntry& option : help.options) {
    if (is_positional(option)) continue;
    out += "complete -c " + help.tool;
    for (const std::string& name : split_list(option.names))
      out += name.size() == 2 ? " -s " + name.substr(1) : " -l " + name.substr(2);
    out += fish_value(option) + " -d " + shell_quoted(summary_of(option)) + '\n';
  }
  return out;
}

}  // namespace

std::string completions(const HelpText& help, const std::string& shell) {
  if (shell == "bash") return bash_completions(help);
  if (shell == "zsh") return zsh_completions(help);
  if (shell == "fish") return fish_completions(help);
  throw not_one_of("--completions", shell, {"bash", "zsh", "fish"});
}

}  // namespace cli
