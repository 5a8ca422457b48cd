#pragma once
// The header of a tool's file: a command to declare options, a session to read, compute and write, and ATTN_TOOL, which
// makes a program of the two. main(), the exit codes and the one catch are in main.cpp.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <functional>
#include <memory>

namespace cli {

/// A tool as main() sees it: its name, its summary, and two functions that hold its options.
struct Tool {
  const char* name;
  const char* summary;
  std::function<void(Command&)> declare;
  std::function<void(Session&)> run;  ///< called once for each batch of the input
};

int run_tool(const Tool& tool, int argc, char** argv);

template <class Options>
int run_tool(const char* name, const char* summary, void (*declare)(Command&, Options&),
             void (*run)(const Options&, Session&), int argc, char** argv) {
  Options options;
  return run_tool({name, summary, [&](Command& command) { declare(command, options); },
                   [&](Session& session) { run(options, session); }},
                  argc, argv);
}

}  // namespace cli

/// The whole program: name, summary for --help and the man page, options struct, its declaration, and the work.
#define ATTN_TOOL(name, summary, Options, declare, run) \
  int main(int argc, char** argv) { return cli::run_tool<Options>(name, summary, declare, run, argc, argv); }
