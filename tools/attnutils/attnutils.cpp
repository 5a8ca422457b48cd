// The front door: alone it lists the tools, and `attnutils TOOL ...` runs the one beside it, for whoever has another
// program of that name. `attnutils search` is the script attnutils-search, which runs the tools.

#include "cli/exit_codes.hpp"
#include "cli/help.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/error.hpp>
#include <attn/core/module.hpp>
#include <attn/core/system.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using attn::Error;
using attn::ErrorKind;

struct ToolName {
  const char* name;
  const char* summary;
};
constexpr ToolName tools[] = {
#include "tool_names.inc"
    {"search", "find the passages of text files that are nearest to a question"}};

std::string names(const char* separator) {
  return attn::listed(tools, separator, [](const ToolName& tool) { return tool.name; });
}

std::string help_text() {
  std::string out = "Usage: attnutils TOOL [OPTION]...\n\n";
  for (const ToolName& tool : tools) {
    const std::string name = tool.name;
    out += "  " + name + std::string(19 - name.size(), ' ') + tool.summary + '\n';
  }
  return out +
         "\nEach is a program of its own as well, search as attnutils-search. attnutils TOOL --help\n"
         "shows its options, man TOOL its page; attnutils(7) has what all share, and\n"
         "attnutils-tutorial(7) is a way in.\n";
}

std::string completions(const std::string& shell) {
  if (shell == "bash")
    return "_attnutils() {\n"
           "  if ((COMP_CWORD > 1)); then\n"
           "    _command_offset 1\n"
           "  else\n"
           "    COMPREPLY=($(compgen -W " +
           cli::shell_quoted(names(" ")) +
           " -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
           "  fi\n"
           "} && complete -F _attnutils attnutils\n";
  if (shell == "zsh") {
    std::string out = "#compdef attnutils\nlocal -a tools=(\n";
    for (const ToolName& tool : tools) {
      std::string summary;
      for (const char c : std::string(tool.summary)) summary += c == ':' ? "\\:" : std::string(1, c);
      out += "  " + cli::shell_quoted(tool.name + (":" + summary)) + '\n';
    }
    return out + ")\n_arguments '(-)1:tool:{_describe tool tools}' '*::argument:_normal'\n";
  }
  if (shell == "fish") {
    std::string out;
    for (const ToolName& tool : tools)
      out += std::string("complete -c attnutils -n __fish_is_first_arg -x -a ") + tool.name + " -d " +
             cli::shell_quoted(tool.summary) + '\n';
    return out + "complete -c attnutils -n 'not __fish_is_first_arg' -x -a '(__fish_complete_subcommand)'\n";
  }
  throw cli::not_one_of("--completions", shell, {"bash", "zsh", "fish"});
}

/// Replaces this process by the tool beside this program. Returns only by throwing.
void become(const std::string& name, char** arguments) {
  const bool is_known =
      std::any_of(std::begin(tools), std::end(tools), [&](const ToolName& tool) { return tool.name == name; });
  if (!is_known) {
    const std::string meant = attn::nearest_word(name, cli::split_list(names(",")));
    throw Error(ErrorKind::usage, "'" + name + "'", "is no tool",
                meant.empty() ? "attnutils lists them" : "did you mean attnutils " + meant + "?");
  }
  const std::string program = attn::system::program();
  const std::string folder = program.substr(0, program.rfind('/') + 1);  // empty: where PATH has it
  const std::string tool = folder + (name == "search" ? "attnutils-" : "") + name;
  execvp(tool.c_str(), arguments);
  throw Error(ErrorKind::helper, tool, std::string("cannot be run: ") + std::strerror(errno),
              "install it beside attnutils");
}

void run(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "--help";
  if (first == "--completions" && argc == 3)
    cli::put_text(completions(argv[2]));
  else if (first == "--version")
    cli::put_text(std::string("attnutils ") + attn::version() + '\n');
  else if (first == "--help" || first == "-h")
    cli::put_text(help_text());
  else if (first[0] == '-')
    throw Error(ErrorKind::usage, first, "unknown option", "options stand behind the tool: attnutils TOOL " + first);
  else
    become(first, argv + 1);
  cli::flush_text();
}

}  // namespace

int main(int argc, char** argv) try {
  run(argc, argv);
  return cli::done;
} catch (const Error& error) {
  std::fprintf(stderr, "attnutils: %s\n", cli::printable(error.what()).c_str());
  return error.kind() == ErrorKind::usage    ? cli::usage
         : error.kind() == ErrorKind::helper ? cli::no_helper
                                             : cli::io_failed;
}
