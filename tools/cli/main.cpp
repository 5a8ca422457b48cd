// The one main() behind every tool: parse, run for each batch, and turn whatever happened into an exit code.

#include "cli/command/completions.hpp"
#include "cli/help.hpp"
#include "cli/printable.hpp"
#include "cli/session/signals.hpp"
#include "cli/standard_text.hpp"
#include "cli/tool.hpp"

#include <attn/core/error.hpp>
#include <attn/core/version.hpp>

#include <sys/ioctl.h>
#include <sys/mman.h>
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
  return tool + " (attnutils) " + attn::version() + "\nHDF5 " + attn::hdf5_version() + "\ninstruction set " +
         std::string(attn::name_of(isa_of_environment())) + "\n";
}

/// What COLUMNS says, else the terminal; 80 where neither does. Lines of more than 120 are hard to read.
std::size_t columns_for_help() {
  std::size_t columns = 80;
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) columns = window.ws_col;
  if (const char* const text = std::getenv("COLUMNS"))
    if (const unsigned long said = std::strtoul(text, nullptr, 10); said > 0) columns = said;
  return std::clamp<std::size_t>(columns, 60, 120);
}

int perform(const Tool& tool, const std::vector<std::string>& arguments) {
  Command command(tool.name, tool.summary);
  tool.declare(command);
  SharedOptions shared;
  add_shared_options(command, shared);
  const Command::Request request = command.parse(arguments);
  if (request == Command::Request::help || request == Command::Request::help_all)
    return say(full_help(command.help(), columns_for_help(), request == Command::Request::help_all)), done;
  if (request == Command::Request::completions) return say(completions(command.help(), arguments.back())), done;
  if (request == Command::Request::version) return say(version_text(tool.name)), done;
  try {
    settle_shared_options(command, shared);
    Session session(command, shared);
    do {
      session.run_batch([&] { tool.run(session); });
    } while (session.next_batch());
    return session.finish();
  } catch (const attn::Error& error) {
    const std::string option = option_of_parameter(error.subject(), command.help().options);
    if (error.kind() != attn::ErrorKind::usage || option.empty()) throw;
    throw attn::Error(error.kind(), option, error.detail(), error.fix());
  }
}

/// One line on standard error, whatever the text holds.
int report(const Tool& tool, const std::string& text, ExitCode code) {
  std::fprintf(stderr, "%s: %s\n", tool.name, printable(text).c_str());
  return code;
}

/// Much of the time of a small job is the kernel's, which clears some 400 pages one by one as they are touched; 129 of
/// them are the cache that HDF5 makes for each file. One huge page takes a fifth of that.
void begin_heap_in_a_huge_page() {
  constexpr std::size_t huge_page = std::size_t{2} << 20, smaller = 2 * huge_page - (std::size_t{64} << 10);
  // malloc maps blocks above a limit; one that was mapped and comes back raises it, and what the heap may keep unused.
  void* volatile room = std::malloc(2 * huge_page);
  std::free(room);
  room = std::malloc(smaller);  // so this now comes from the heap
  const auto at = reinterpret_cast<std::uintptr_t>(static_cast<void*>(room));
  std::free(room);
  const auto begin = (at + huge_page - 1) / huge_page * huge_page;
  madvise(reinterpret_cast<void*>(begin), huge_page, MADV_HUGEPAGE);
  [[maybe_unused]] static void* volatile skipped;  // never touched, so no memory
  skipped = std::malloc(begin - at);
}

}  // namespace

int run_tool(const Tool& tool, int argc, char** argv) {
  begin_heap_in_a_huge_page();
  guard_standard_streams();
  handle_signals();
  try {
    return perform(tool, {argv + (argc > 0 ? 1 : 0), argv + argc});
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
