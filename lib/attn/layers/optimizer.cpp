#include <attn/layers/optimizer.hpp>

#include <attn/core/module.hpp>
#include <attn/layers/inner/reference_module.hpp>
#include <attn/simd/attention.hpp>
#include <attn/simd/elementwise.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr std::size_t elements_of_task = 16384;

/// The formulas of optimize() for some elements; m and v are what the optimiser remembers, or null.
template <class T>
void step_elements(const OptimizerParameters& o, double step, double factor, const T* gradient, std::size_t count,
                   T* parameter, T* m, T* v, Isa isa) {
  const double rate = o.learning_rate;
  if (o.kind == OptimizerKind::adamw)
    return simd::math_kernels<T>(isa).adamw({gradient, parameter, m, v, count, factor, o.beta1, o.beta2, o.epsilon,
                                             1 - rate * o.weight_decay, rate / (1 - std::pow(o.beta1, step)),
                                             1 / (1 - std::pow(o.beta2, step))});
  for (std::size_t i = 0; i < count; ++i) {
    const double g = factor * static_cast<double>(gradient[i]);
    double p = static_cast<double>(parameter[i]);
    const double b = (m != nullptr ? o.momentum * static_cast<double>(m[i]) : 0) + (g + o.weight_decay * p);
    p -= rate * b;
    if (m != nullptr) m[i] = static_cast<T>(b);
    parameter[i] = static_cast<T>(p);
  }
}

/// The same by the reference engine, in f64.
void step_by_formula(const OptimizerParameters& o, std::size_t step, double factor, const TensorView& gradient,
                     Tensor& parameter, std::vector<Tensor>& state) {
  const auto wide = [](const Tensor& x) { return copied(cast(x.view(), DType::f64)); };
  const auto to = [](const TensorView& x) { return const_cast<double*>(x.contiguous_data<double>()); };
  const TensorView g = cast(gradient, DType::f64), p = wide(parameter);
  std::vector<TensorView> remembered;
  for (const Tensor& x : state) remembered.push_back(wide(x));
  expect_memory(reference::layer_functions().optimize(o, step, factor, g.contiguous_data<double>(), g.size(), to(p),
                                                      state.empty() ? nullptr : to(remembered[0]),
                                                      state.size() < 2 ? nullptr : to(remembered[1])));
  const auto write = [](const TensorView& from, Tensor& x) {
    const TensorView narrow = cast(from, x.dtype());
    std::copy_n(static_cast<const char*>(narrow.data), narrow.bytes(), static_cast<char*>(x.data()));
  };
  write(p, parameter);
  for (std::size_t i = 0; i < state.size(); ++i) write(remembered[i], state[i]);
}

}  // namespace

void expect_in_range(const OptimizerParameters& p) {
  const auto expect = [](bool is_good, const char* name, const char* rule) {
    if (!is_good) throw Error(ErrorKind::usage, name, rule);
  };
  expect(p.learning_rate >= 0 && std::isfinite(p.learning_rate), "lr", "must be 0 or more, and finite");
  expect(p.momentum >= 0 && p.momentum < 1, "momentum", "must be 0 or more, and below 1");
  expect(p.weight_decay >= 0 && std::isfinite(p.weight_decay), "weight decay", "must be 0 or more, and finite");
  expect(p.beta1 >= 0 && p.beta1 < 1 && p.beta2 >= 0 && p.beta2 < 1, "betas", "must be 0 or more, and below 1");
  expect(p.epsilon >= 0 && std::isfinite(p.epsilon), "eps", "must be 0 or more, and finite");
}

std::vector<const char*> state_names(const OptimizerParameters& parameters) {
  if (parameters.kind == OptimizerKind::adamw) return {"m", "v"};
  return parameters.momentum > 0 ? std::vector<const char*>{"momentum"} : std::vector<const char*>{};
}

void optimize(Tensor& parameter, std::vector<Tensor>& state, const TensorView& gradient,
              const OptimizerParameters& given, std::size_t step, double factor, const Execution& execution) {
  expect_in_range(given);
  OptimizerParameters o = given;
  if (o.decays_matrices_only && parameter.shape().size() < 2) o.weight_decay = 0;
  if (gradient.shape != parameter.shape())
    throw shape_error(gradient.name, gradient.shape, to_string(parameter.shape()) + " = the shape of the parameter");
  if (execution.only_counts(16 * static_cast<double>(parameter.size()))) return;
  if (execution.engine == Engine::reference)
    return step_by_formula(o, step, factor, cast(gradient, parameter.dtype()), parameter, state);
  const TensorView g = cast(gradient, parameter.dtype());
  visit_compute_dtype(parameter.dtype(), [&](auto element) {
    using T = decltype(element);
    const T* const from = g.contiguous_data<T>();
    T *const p = parameter.data_as<T>(), *const m = state.empty() ? nullptr : state[0].data_as<T>(),
             *const v = state.size() < 2 ? nullptr : state[1].data_as<T>();
    const std::size_t count = g.size();
    execution.sized_for(8 * count).parallel(
        (count + elements_of_task - 1) / elements_of_task, [&](std::size_t task, std::size_t) {
          const std::size_t first = task * elements_of_task;
          step_elements(o, static_cast<double>(step), factor, from + first, std::min(elements_of_task, count - first),
                        p + first, m != nullptr ? m + first : m, v != nullptr ? v + first : v, execution.isa);
        });
  });
}

double norm_of(const std::vector<TensorView>& gradients, const Execution& execution) {
  double squares = 0;
  for (const TensorView& given : gradients)
    visit_compute_dtype(compute_dtype(given.dtype), [&](auto element) {
      using T = decltype(element);
      const TensorView gradient = cast(given, dtype_of_v<T>);
      const T* const from = gradient.contiguous_data<T>();
      const std::size_t count = gradient.size();
      // A sum for each block, so that the bits do not depend on the threads.
      std::vector<double> blocks((count + elements_of_task - 1) / elements_of_task);
      execution.sized_for(count).parallel(blocks.size(), [&](std::size_t task, std::size_t) {
        const std::size_t first = task * elements_of_task;
        blocks[task] = simd::attention_kernels<T>(execution.isa)
                           .square(from + first, nullptr, std::min(elements_of_task, count - first));
      });
      for (const double block : blocks) squares += block;
    });
  return std::sqrt(squares);
}

}  // namespace attn
