#pragma once
// Options of tconv.

#include "cli/command.hpp"
#include "cli/session.hpp"
#include "tconv/changes.hpp"

#include <string>
#include <vector>

namespace tconv {

struct Options {
  std::vector<std::string> inputs;
  bool list = false, json = false, values = false;
  std::vector<std::string> select;
  std::string slab;
  Changes changes;
  cli::Output output;
};

void declare(cli::Command& command, Options& options);

}  // namespace tconv
