#pragma once
// A run of a tool: what it reads, what it writes, what it says, and how it computes.

#include "cli/inputs.hpp"
#include "cli/report.hpp"
#include "cli/results.hpp"
#include "cli/shared_options.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

class Batches;

/// The instruction set that ATTN_ISA names, else the best of this processor. Throws Error(usage).
attn::Isa isa_of_environment();

class Session {
  struct State;
  const std::unique_ptr<State> state_;

 public:
  Session(const Command& command, const SharedOptions& shared);
  ~Session();

  Inputs& inputs;
  Results& results;
  Report& report;
  Batches& batches;

  attn::TensorView read(const Input& input) { return inputs.read(input); }
  std::optional<attn::TensorView> read(const OptionalInput& input) { return inputs.read(input); }
  void write(const Output& output, const attn::TensorView& result) { results.write(output, result); }
  void write(const Output& output, const std::vector<Result>& all, const GroupAttributes& groups = {}) {
    results.write(output, all, groups);
  }

  /// Engine, instruction set, threads, progress: to be handed to the library.
  const attn::Execution& execution() const noexcept;
  /// --dtype, for tools that compute in it.
  std::optional<attn::DType> dtype() const noexcept;
  /// Results have --dtype and are computed in no narrower type: the computing type, or f64 where that was asked for.
  attn::DType at_least(attn::DType compute) const;
  /// What is computed on, likewise: as it is, or widened to f64, so that what it meets is computed in f64 too.
  attn::TensorView widened(const attn::TensorView& x) const;
  /// The same, and f32 in place of 16 bits where --dtype asks for another type: results in the type of x are then not
  /// rounded to 16 bits first. For what is computed in f32 anyway.
  attn::TensorView unrounded(const attn::TensorView& x) const;

  /// Was the option on the command line? By its long name: "--mask".
  bool was_given(const std::string& option) const;
};

}  // namespace cli
