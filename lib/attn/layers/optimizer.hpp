#pragma once
// Optimisers: one step of a parameter against its gradient.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ATTN_API attn {

enum class OptimizerKind : std::uint8_t {
  sgd,   ///< b = momentum b + (g + decay p),  p = p - rate b
  adamw  ///< see optimize()                                       Loshchilov and Hutter 2019
};

/// The initialisers are the defaults of the tool optimize.
struct OptimizerParameters {
  OptimizerKind kind = OptimizerKind::adamw;
  double learning_rate = 1e-3;
  double momentum = 0;  ///< of sgd
  double weight_decay = 0;
  bool decays_matrices_only = false;                  ///< not parameters of one axis: biases, and gains of norms
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  ///< of adamw
};

/// Throws Error(usage) for a parameter out of range.
void expect_in_range(const OptimizerParameters& parameters);

/// The names of what an optimiser remembers of each parameter: m and v for adamw, momentum for sgd with momentum.
std::vector<const char*> state_names(const OptimizerParameters& parameters);

/// Step number `step`, from 1 on, of a parameter p in place, for the gradient g times `factor`. AdamW:
///
///     p = p - rate decay p,  m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2
///     p = p - rate m / (1 - beta1^step) / (sqrt(v / (1 - beta2^step)) + epsilon)
///
/// parameter  f32 or f64
/// state      one tensor of the parameter's type and shape for each of state_names(), zeros before the first step
/// gradient   of the parameter's shape
/// throws     Error(data) if the gradient does not fit, Error(usage) for parameters out of range
///
/// Each element is computed in f64 and rounded once.
void optimize(Tensor& parameter, std::vector<Tensor>& state, const TensorView& gradient,
              const OptimizerParameters& parameters, std::size_t step, double factor = 1,
              const Execution& execution = {});

/// sqrt of the sum of squares of all elements of all gradients, in f64: for clipping by min(1, limit / (norm + 1e-6)).
double norm_of(const std::vector<TensorView>& gradients, const Execution& execution = {});

}  // namespace attn
