#pragma once
// A run of a tool: the shared options, the open inputs, the results or gradients, and its batches.

#include "cli/exit_codes.hpp"
#include "cli/gradient_check.hpp"
#include "cli/inputs.hpp"
#include "cli/report.hpp"
#include "cli/result_writer.hpp"
#include "cli/shared_options.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// The gradient by a parameter below a weights operand: d/NAME, the name as in the file; d/`name` for a literal.
Gradient by_parameter(const attn::TensorView& parameter, const std::string& name, const attn::TensorView& value);

/// --vjp: the vector-Jacobian products of a stage, which it writes instead of its result.
class Gradients {
 public:
  /// `check` is null without --check-grad. All must outlive it.
  Gradients(const SharedOptions& shared, Inputs& inputs, ResultWriter& results, GradientCheck* check)
      : shared_(shared), inputs_(inputs), results_(results), check_(check) {}

  /// Is it gradients that the stage is to write, and nothing else?
  bool wanted() const { return check_ != nullptr ? check_->is_backward() : shared_.vjp.given(); }
  /// The gradient of the loss by the stage's result: DY, or the tensor y of a group DY.
  attn::TensorView cotangent();
  /// That by another result of the stage, such as lse: the tensor of that name in a group DY; none if there is none.
  std::optional<attn::TensorView> cotangent(const std::string& result);
  /// With those of --add-gradients.
  void write(const Output& output, const std::vector<Gradient>& gradients);

 private:
  void add_others(const Input& others, std::vector<Result>& results);

  const SharedOptions& shared_;
  Inputs& inputs_;
  ResultWriter& results_;
  GradientCheck* check_;
};

/// The batches of a run: for main(), and for a tool that moves its inputs on itself.
class Batches {
 public:
  Batches(Origins& origins, ResultWriter& results, Report& report)
      : origins_(origins), results_(results), report_(report) {}

  /// Calls work for each batch of the inputs; under --dry-run it ends where something would be written. `move` moves
  /// the tool's own sources on, and is false when there is no more; none: all inputs together.
  void each(const std::function<void()>& work, const std::function<bool()>& move = {});
  /// Does another one follow?
  bool has_next();
  /// The number of the current one, from 1.
  std::size_t number() const noexcept { return number_; }
  /// Makes the results visible and says how it went.
  ExitCode finish();

 private:
  Origins& origins_;
  ResultWriter& results_;
  Report& report_;
  std::size_t number_ = 1;
};

/// The instruction set in ATTN_ISA, or else the best of this processor. Throws Error(usage).
attn::Isa isa_of_environment();

class Session {
  struct State;
  const std::unique_ptr<State> state_;

 private:
  void run_by_rows(const std::shared_ptr<RowBlocks>& blocks, const std::function<void()>& work);

 public:
  Session(const Command& command, const SharedOptions& shared);
  ~Session();

  Inputs& inputs;
  ResultWriter& results;
  Gradients& gradients;
  Report& report;
  Batches& batches;

  /// Does the work, or with --check-grad checks the gradients of what the work computes.
  void run(const std::function<void()>& work);

  attn::TensorView read(const Input& input) { return inputs.read(input); }
  std::optional<attn::TensorView> read(const OptionalInput& input) { return inputs.read(input); }
  void write(const Output& output, const attn::TensorView& result) { results.write(output, result); }
  void write(const Output& output, const std::vector<Result>& all, const GroupAttributes& groups = {}) {
    results.write(output, all, groups);
  }

  /// Engine, instruction set, threads and progress for the library.
  const attn::Execution& execution() const noexcept;
  /// The value of --dtype, for tools that compute in it.
  std::optional<attn::DType> dtype() const noexcept;
  /// The type to compute in: `compute`, or f64 if --dtype asks for it.
  attn::DType at_least(attn::DType compute) const;
  /// The same for a tensor: unchanged, or converted to f64 if --dtype asks for it.
  attn::TensorView widened(const attn::TensorView& x) const;
  /// The same, and 16-bit floats become f32 if --dtype asks for another type, so that the result is not rounded to 16
  /// bits first. For operations that compute in f32 anyway.
  attn::TensorView unrounded(const attn::TensorView& x) const;

  /// Inputs::settle() and Inputs::record(), with the instruction set.
  void settle(const std::string& name, const std::string& value) { inputs.settle(name, value); }
  RunRecord record() const;

  /// In a run by blocks of rows: the first row of this block along an axis of the input, else 0.
  std::size_t first_row(std::size_t axis) const { return inputs.first_row(axis); }
  /// In a run by blocks of rows along the first axis: how many there are in all, else the rows of x.
  std::size_t all_rows(const attn::TensorView& x) const { return inputs.all_rows(x); }

  /// Was the option on the command line? By its long name: "--mask".
  bool was_given(const std::string& option) const;
};

}  // namespace cli
