#pragma once
// The options common to all tools.

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "cli/results/difference.hpp"

#include <attn/core/dtype.hpp>
#include <attn/core/execution.hpp>
#include <attn/io/input.hpp>

#include <optional>
#include <string>

namespace cli {

struct SharedOptions {
  attn::io::InputOptions input;  ///< how inputs are read
  attn::Engine engine = attn::Engine::automatic;
  std::optional<attn::DType> dtype;  ///< of floating-point results; none: as computed
  std::size_t threads = 0;           ///< 0: as many as affinity and the cgroup's quota allow
  std::vector<std::string> slabs;    ///< "NAME=0:128,:"
  std::vector<std::string> keep;     ///< patterns of datasets that are also written
  bool keep_input = false;
  bool keeps_stored = false;  ///< kept datasets are written as stored, with all attributes
  OptionalInput vjp{"dy"};    ///< the gradient of a loss by the result
  std::deque<OptionalInput> added_gradients{OptionalInput()};  ///< groups, to which gradients by parameters are added
  std::size_t checked_directions = 0;                          ///< of --check-grad; 0: none
  std::optional<std::string> check;                            ///< operand that the result must equal
  Tolerance tolerance;
  bool stats = false, fail_on_nonfinite = false;
  bool dry_run = false;
  std::size_t max_memory = 0;  ///< bytes; 0: no limit
  ReportOptions report;
  bool history = true, timestamp = false;
};

Choices<attn::io::TableOptions::Missing> missing_choices();

/// Declares them after the tool's own options. Output options only for a tool that declared an Output.
void add_shared_options(Command& command, SharedOptions& shared);
/// --rtol and --atol; the description explains the tolerance.
void add_tolerance(Command& command, Tolerance& tolerance, const std::string& description);
/// The names of an input in --slab: those of its option; for the main input, "input" and its default datasets.
std::vector<std::string> slab_names(const Input& input, std::string option_names);
/// After parsing: assigns slabs to inputs, and throws Error(usage) for contradictions between options.
void settle_shared_options(const Command& command, SharedOptions& shared);

}  // namespace cli
