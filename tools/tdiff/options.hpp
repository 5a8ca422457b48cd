#pragma once
// Options of tdiff.

#include "cli/command.hpp"
#include "cli/results/difference.hpp"

#include <attn/core/shape.hpp>

#include <string>
#include <vector>

namespace tdiff {

struct Options {
  std::vector<std::string> operands;
  cli::Tolerance tolerance;
  bool strict = false;
  bool by_position = false;  ///< columns of tables
  bool json = false;
  cli::Output output;
  struct Part {
    std::string text;
    attn::Slab axes;
  };
  Part slabs[2];  ///< of the tensors of A and of B
};

void declare(cli::Command& command, Options& options);

}  // namespace tdiff
