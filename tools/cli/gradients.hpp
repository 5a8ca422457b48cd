#pragma once
// --vjp: the vector-Jacobian products of a stage, which it writes instead of its result.

#include "cli/gradient_check.hpp"
#include "cli/inputs.hpp"
#include "cli/results.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cli {

/// The gradient by a parameter below a weights operand: d/NAME, the name as in the file; d/`name` for a literal.
Gradient by_parameter(const attn::TensorView& parameter, const std::string& name, const attn::TensorView& value);

class Gradients {
 public:
  /// `check` is null without --check-grad. All must outlive it.
  Gradients(const SharedOptions& shared, Inputs& inputs, Results& results, GradientCheck* check)
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
  Results& results_;
  GradientCheck* check_;
};

}  // namespace cli
