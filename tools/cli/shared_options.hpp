#pragma once
// The options common to all tools, and --shard, which several have.

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "cli/results/difference.hpp"

#include <attn/core/dtype.hpp>
#include <attn/core/execution.hpp>
#include <attn/io/input.hpp>

#include <cstddef>
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

/// Declares them after the tool's own options. Output options only for a tool that declared an Output.
void add_shared_options(Command& command, SharedOptions& shared);
/// --rtol and --atol; the description explains the tolerance.
void add_tolerance(Command& command, Tolerance& tolerance, const std::string& description);
/// The names of an input in --slab: those of its option; for the main input, "input" and its default datasets.
std::vector<std::string> slab_names(const Input& input, std::string option_names);
/// After parsing: assigns slabs to inputs, and throws Error(usage) for contradictions between options.
void settle_shared_options(const Command& command, SharedOptions& shared);

/// A part of the work of one of many machines, --shard I/N: part `index` of `count`, from 1 on.
struct Shard {
  std::size_t index = 1, count = 1;

  std::string text() const { return std::to_string(index) + "/" + std::to_string(count); }
  /// Where the part begins and ends among n things.
  std::size_t first_of(std::size_t n) const { return boundary(index - 1, n); }
  std::size_t end_of(std::size_t n) const { return boundary(index, n); }

 private:
  std::size_t boundary(std::size_t i, std::size_t n) const;
};

/// `what` completes "I/N: compute part I of N ...".
void add_shard(Command& command, std::optional<Shard>& shard, const std::string& what);

}  // namespace cli
