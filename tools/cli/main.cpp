// The one main() behind every tool: parse, run for each batch, and turn whatever happened into an exit code.

#include "cli/help.hpp"
#include "cli/operand_names.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/standard_text.hpp"
#include "cli/tool.hpp"

#include <attn/core/error.hpp>
#include <attn/core/module.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace cli {
namespace {

void say(const std::string& text) {
  put_text(text);
  flush_text();
}

std::string version_text(const std::string& tool) {
  return tool + " (attnutils) " + attn::version() + "\nHDF5 " + attn::hdf5_version() + "\nxxHash " +
         attn::xxhash_version() + "\ninstruction set " + std::string(attn::name_of(isa_of_environment())) + "\n";
}

/// The width in COLUMNS, or of the terminal, or else 80. Lines over 120 are hard to read.
std::size_t columns_for_help() {
  std::size_t columns = 80;
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) columns = window.ws_col;
  if (const char* const text = std::getenv("COLUMNS"))
    if (const unsigned long said = std::strtoul(text, nullptr, 10); said > 0) columns = said;
  return std::clamp<std::size_t>(columns, 60, 120);
}

/// What is asked for in place of a run.
std::string answer(Command::Request request, const Command& command, const std::string& last_argument) {
  if (request == Command::Request::version) return version_text(command.help().tool);
  if (request == Command::Request::completions)
    return is_begun_operand(last_argument) ? operands_beginning(last_argument)
                                           : completions(command.help(), last_argument);
  return full_help(command.help(), columns_for_help(), request == Command::Request::help_all);
}

ExitCode exit_code_of(attn::ErrorKind kind) noexcept {
  switch (kind) {
    case attn::ErrorKind::usage: return usage;
    case attn::ErrorKind::data: return bad_data;
    case attn::ErrorKind::input: return no_input;
    case attn::ErrorKind::helper: return no_helper;
    case attn::ErrorKind::memory: return no_memory;
    case attn::ErrorKind::create: return cannot_create;
    case attn::ErrorKind::io: return io_failed;
    case attn::ErrorKind::defect: break;
  }
  return defect;
}

/// Advice whose command reads a table: as this run does.
std::string reading_as(const attn::io::TableOptions& table, std::string advice) {
  using Header = attn::io::TableOptions::Header;
  constexpr std::string_view command = " -O csv | ";
  const std::size_t at = advice.find(command);
  if (at == std::string::npos) return advice;
  std::string options;
  if (table.header != Header::automatic) options += table.header == Header::yes ? " --header" : " --no-header";
  if (table.delimiter != 0)
    options += " --delim " + (table.delimiter == '\t' ? "'\\t'" : shell_quoted(std::string(1, table.delimiter)));
  if (table.comment) options += " --comment " + (table.comment->empty() ? "none" : shell_quoted(*table.comment));
  if (!table.has_quotes) options += " --no-quotes";
  return advice.insert(at, options);
}

/// Prints one line on standard error; control characters are escaped.
int report(const Tool& tool, const std::string& text, ExitCode code) {
  std::fprintf(stderr, "%s: %s\n", tool.name, printable(text).c_str());
  return code;
}

}  // namespace

int run_tool(const Tool& tool, int argc, char** argv) {
  guard_standard_streams();
  handle_signals();
  try {
    Command command(tool.name, tool.summary);
    SharedOptions shared;
    tool.declare(command);
    add_shared_options(command, shared);
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const Command::Request request = command.parse(arguments);
    if (request != Command::Request::run) return say(answer(request, command, arguments.back())), done;
    try {
      settle_shared_options(command, shared);
      Session session(command, shared);
      session.batches.each([&] { session.run([&] { tool.run(session); }); });
      return session.batches.finish();
    } catch (const attn::Error& error) {
      const std::string option = option_of_parameter(error.subject(), command.help().options);
      const bool is_option = error.kind() == attn::ErrorKind::usage && !option.empty();
      throw attn::Error(error.kind(), is_option ? option : error.subject(), error.detail(),
                        reading_as(shared.input.table, error.fix()));
    }
  } catch (const Finished& finished) {
    return finished.code;
  } catch (const attn::Error& error) {
    return report(tool, error.what(), exit_code_of(error.kind()));
  } catch (const std::bad_alloc&) {
    return report(tool, "out of memory", no_memory);
  } catch (const std::exception& error) {
    return report(tool, std::string("internal error: ") + error.what() + "; please report it", defect);
  }
}

}  // namespace cli
