#include <attn/layers/linear.hpp>
#include <attn/layers/linear_reference.hpp>

#include <algorithm>
#include <mutex>

namespace attn {

struct Linear::State {
  TensorView weight;  ///< (out, in) as stored, any strides
  std::optional<TensorView> bias;
  DType compute;

  std::once_flag prepared;
  TensorView ready_weight;  ///< contiguous (out, in) in the computing type
  TensorView ready_bias;

  void prepare() {
    std::call_once(prepared, [this] {
      ready_weight = cast(weight, compute);
      if (bias) ready_bias = cast(*bias, compute);
    });
  }
};

Linear::Linear(const TensorView& weight, const std::optional<TensorView>& bias, DType compute, WeightLayout layout)
    : state_(std::make_shared<State>()) {
  if (weight.rank() != 2)
    throw shape_error(weight.name, weight.shape, layout == WeightLayout::out_in ? "(out, in)" : "(in, out)");
  state_->weight = layout == WeightLayout::out_in ? weight : transposed(weight, {1, 0});
  if (bias && bias->shape != Shape{out_features()})
    throw shape_error(bias->name, bias->shape, to_string(Shape{out_features()}) + " = the outputs of " + weight.name);
  state_->bias = bias;
  state_->compute = compute;
}

Linear Linear::load(const Weights& weights, std::size_t out, std::size_t in, DType compute, WeightLayout layout) {
  const bool transposed_storage = layout == WeightLayout::in_out;
  const TensorView weight = weights.get("weight", transposed_storage ? Shape{in, out} : Shape{out, in},
                                        transposed_storage ? "inputs by outputs" : "outputs by inputs");
  const std::size_t outputs = weight.shape[transposed_storage ? 1 : 0];
  return {weight, weights.find("bias", {outputs}, "outputs"), compute, layout};
}

std::size_t Linear::in_features() const noexcept { return state_->weight.shape[1]; }
std::size_t Linear::out_features() const noexcept { return state_->weight.shape[0]; }
bool Linear::has_bias() const noexcept { return state_->bias.has_value(); }
DType Linear::dtype() const noexcept { return state_->compute; }
const TensorView& Linear::weight() const noexcept { return state_->weight; }

Linear Linear::outputs(std::size_t first, std::size_t count) const {
  const auto begin = static_cast<std::int64_t>(first), end = static_cast<std::int64_t>(first + count);
  const Slab rows{AxisSlab{begin, end, 1, false}};
  std::optional<TensorView> bias;
  if (state_->bias) bias = slice(*state_->bias, rows);
  return {slice(state_->weight, rows), bias, state_->compute};
}

TensorView Linear::operator()(const TensorView& x, const Execution& execution, Activation activation) const {
  if (x.rank() == 0 || x.shape.back() != in_features())
    throw shape_error(x.name, x.shape,
                      "(..., " + std::to_string(in_features()) + ") = the inputs of " + state_->weight.name + " " +
                          to_string(state_->weight.shape));
  state_->prepare();
  const TensorView input = cast(x, state_->compute);
  Shape shape = x.shape;
  shape.back() = out_features();
  Tensor y(state_->compute, shape);
  // Blocks of rows, and of outputs where there are few rows: cut by the problem, never by the number of threads.
  constexpr std::size_t row_block = 16, output_block = 256;
  visit_compute_dtype(state_->compute, [&](auto element) {
    using T = decltype(element);
    const std::size_t rows = in_features() > 0 ? x.size() / in_features() : element_count(shape) / out_features();
    const auto x_rows = strided(input.contiguous_data<T>(), std::array<std::size_t, 2>{rows, in_features()});
    const auto w = state_->ready_weight.as<T, 2>();
    const T* bias = has_bias() ? state_->ready_bias.contiguous_data<T>() : nullptr;
    const auto y_rows = strided(y.data_as<T>(), std::array<std::size_t, 2>{rows, out_features()});
    const std::size_t row_blocks = (rows + row_block - 1) / row_block;
    const std::size_t output_blocks = (out_features() + output_block - 1) / output_block;
    execution.parallel(row_blocks * output_blocks, [&](std::size_t task, std::size_t) {
      const std::size_t m = task / output_blocks * row_block, n = task % output_blocks * output_block;
      const std::size_t m_count = std::min(row_block, rows - m), n_count = std::min(output_block, out_features() - n);
      linear_reference<T>({x_rows[m].data, {m_count, in_features()}, x_rows.strides},
                          {w[n].data, {n_count, in_features()}, w.strides}, bias ? bias + n : nullptr, activation,
                          {&y_rows(m, n), {m_count, n_count}, y_rows.strides});
    });
  });
  return y.view(x.name);
}

}  // namespace attn
