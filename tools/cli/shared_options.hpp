#pragma once
// The options that every tool has, with the same letter and the same meaning.

#include "cli/command.hpp"
#include "cli/results/difference.hpp"
#include "cli/report.hpp"

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
  std::vector<std::string> slabs;    ///< "NAME=0:128,:"
  std::vector<std::string> keep;     ///< patterns of datasets that travel along
  bool keep_input = false;
  bool keeps_stored = false;         ///< what travels along is written as it is stored, attributes and all
  std::optional<std::string> check;  ///< operand that the result must equal
  Tolerance tolerance;
  bool stats = false, fail_on_nonfinite = false;
  bool dry_run = false;
  std::size_t max_memory = 0;  ///< bytes; 0: no limit
  ProgressMode progress = ProgressMode::automatic;
  bool quiet = false, verbose = false;
  bool history = true, timestamp = false;
};

/// Declares them, after the tool's own. Those of the output side only for a tool that declared an Output.
void add_shared_options(Command& command, SharedOptions& shared);
/// --rtol and --atol, which the description of the first explains.
void add_tolerance(Command& command, Tolerance& tolerance, const std::string& description);
/// After parsing: hands slabs to their inputs. Throws Error(usage) for what only shows now.
void settle_shared_options(const Command& command, SharedOptions& shared);

}  // namespace cli
