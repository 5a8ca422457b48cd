#pragma once
// The header of a tool's file: a command to declare options, a session to read, compute and write, and ATTN_TOOL, which
// makes a program of the two. main(), the exit codes and the one catch are in main.cpp.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <functional>
#include <utility>

namespace cli {

/// A tool as main() sees it: its name, its summary, and two functions that hold its options.
struct Tool {
  const char* name;
  const char* summary;
  std::function<void(Command&)> declare;
  std::function<void(Session&)> run;  ///< called once for each batch of the input
};

int run_tool(const Tool& tool, int argc, char** argv);

}  // namespace cli

/// The whole program: name, summary for --help and the man page, options struct, its declaration, and the work.
#define ATTN_TOOL(name, summary, Options, declare, run)                                             \
  int main(int argc, char** argv) {                                                                 \
    Options options;                                                                                \
    return cli::run_tool({name, summary, [&](cli::Command& command) { declare(command, options); }, \
                          [&](cli::Session& session) { run(std::as_const(options), session); }},    \
                         argc, argv);                                                               \
  }
