#pragma once
// The options that every tool has, with the same letter and the same meaning.

#include "cli/command.hpp"

#include <attn/core/dtype.hpp>
#include <attn/core/execution.hpp>
#include <attn/io/input.hpp>

#include <optional>
#include <string>

namespace cli {

struct SharedOptions {
  attn::io::InputOptions input;  ///< how inputs are read
  attn::Engine engine = attn::Engine::automatic;
  std::optional<attn::DType> dtype;  ///< of floating-point results; none: what the tool computed
  std::size_t threads = 0;           ///< 0: what affinity and the cgroup's quota allow
  bool quiet = false, verbose = false;
};

/// Declares them, after the tool's own. Those of the output side only for a tool that declared an Output.
void add_shared_options(Command& command, SharedOptions& shared);
/// After parsing: throws Error(usage) for what only shows then.
void check_shared_options(const Command& command);

}  // namespace cli
