#include <attn/layers/linear.hpp>

#include <attn/core/module.hpp>
#include <attn/core/reduce.hpp>
#include <attn/layers/inner/reference_module.hpp>
#include <attn/matrix/column_product.hpp>
#include <attn/matrix/packed_matrix.hpp>
#include <attn/matrix/stored_matrix.hpp>
#include <attn/simd/elementwise.hpp>
#include <attn/simd/gemm.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace attn {
namespace {

/// The remedy if the transposed weight would fit; else empty.
std::string turning(bool fits, WeightLayout layout) {
  if (!fits) return {};
  return layout == WeightLayout::out_in ? "the weight fits as (in, out): give --transposed"
                                        : "the weight fits as (out, in): leave --transposed out";
}

}  // namespace

bool fits(const Weights& map, WeightLayout layout, std::size_t out, std::size_t in) {
  const TensorInfo *const weight = map.info("weight"), *const bias = map.info("bias");
  if (weight == nullptr || weight->shape.size() != 2) return false;
  const std::size_t outputs = layout == WeightLayout::out_in ? 0 : 1;
  const auto is = [](std::size_t extent, std::size_t wanted) { return wanted == any_extent || extent == wanted; };
  return is(weight->shape[outputs], out) && is(weight->shape[1 - outputs], in) &&
         (bias == nullptr || bias->shape == Shape{weight->shape[outputs]});
}

struct Linear::State {
  TensorView weight;  ///< (out, in) as stored, any strides
  std::optional<TensorView> bias;
  WeightLayout layout;  ///< of the given weight
  DType compute;
  DType product;  ///< bf16 if products may be in bf16; `compute` is f32 then

  std::mutex mutex;
  TensorView ready_bias;              ///< contiguous in the computing type
  TensorView wide_weight, wide_bias;  ///< contiguous in f64, for the reference engine
  /// Of W, and of W^T for gradients. One instruction set in all but tests, which force several.
  std::map<std::pair<Isa, bool>, PackedMatrix> packed;
  bool is_used = false;

  template <class T>
  const T* bias_data() {
    if (!bias) return nullptr;
    const std::lock_guard<std::mutex> lock(mutex);
    if (ready_bias.data == nullptr) ready_bias = cast(*bias, compute);
    return ready_bias.contiguous_data<T>();
  }

  /// The first product of a few rows reads the weight in place, and the next one makes the copy, so that a model
  /// answers at once and a weight that is used once takes no memory.
  bool stays_as_stored(std::size_t rows, Isa isa) {
    if (rows > most_stored_rows || !is_readable_as_stored(weight, product, isa)) return false;
    const std::lock_guard<std::mutex> lock(mutex);
    return !std::exchange(is_used, true) && packed.count({isa, false}) == 0;
  }

  void widen() {
    const std::lock_guard<std::mutex> lock(mutex);
    if (wide_weight.data == nullptr) wide_weight = cast(cast(weight, compute), DType::f64);
    if (bias && wide_bias.data == nullptr) wide_bias = cast(cast(*bias, compute), DType::f64);
  }

  /// The formulas of vjp() in f64, for x (rows, in) and dy (rows, out); returns the gradient by the bias.
  TensorView differentiate_by_formula(const TensorView& x, const TensorView& dy, Activation activation, Tensor& dx,
                                      Tensor& dw) {
    widen();
    Tensor db(DType::f64, {weight.shape[0]});
    expect_memory(reference::layer_functions().linear_vjp(
        x.contiguous_data<double>(), wide_weight.contiguous_data<double>(),
        bias ? wide_bias.contiguous_data<double>() : nullptr, dy.contiguous_data<double>(), x.shape[0], weight.shape[1],
        weight.shape[0], activation, dx.data_as<double>(), dw.data_as<double>(), db.data_as<double>()));
    return db.view();
  }

  /// The formula in f64: x (rows, in) to (..., out) of that shape.
  TensorView multiply_reference(const TensorView& x, std::size_t rows, const Shape& shape, Activation activation,
                                const Execution& execution) {
    const auto linear = reference::layer_functions().linear;
    widen();
    const TensorView wide_x = cast(x, DType::f64);
    Tensor wide_y(DType::f64, shape);
    const std::size_t out = weight.shape[0], in = weight.shape[1];
    const double* const offset = bias ? wide_bias.contiguous_data<double>() : nullptr;
    constexpr std::size_t block = 64;
    execution.parallel_with_progress((rows + block - 1) / block, [&](std::size_t task, std::size_t) {
      const std::size_t first = task * block;
      expect_memory(linear(wide_x.contiguous_data<double>() + first * in, wide_weight.contiguous_data<double>(), offset,
                           std::min(block, rows - first), in, out, activation, wide_y.data_as<double>() + first * out));
    });
    return cast(wide_y.view(x.name), compute);
  }

  const PackedMatrix& pack(const Execution& execution, bool is_turned = false) {
    const std::lock_guard<std::mutex> lock(mutex);
    PackedMatrix& matrix = packed[{execution.isa, is_turned}];
    if (matrix.outputs() == 0)
      matrix = is_turned ? PackedMatrix(transposed(weight, {1, 0}), compute, execution)
                         : PackedMatrix(weight, product, execution);
    return matrix;
  }
};

Linear::Linear(const TensorView& weight, const std::optional<TensorView>& bias, DType compute, WeightLayout layout)
    : state_(std::make_shared<State>()) {
  if (weight.rank() != 2)
    throw shape_error(weight.name, weight.shape, layout == WeightLayout::out_in ? "(out, in)" : "(in, out)");
  state_->weight = layout == WeightLayout::out_in ? weight : transposed(weight, {1, 0});
  state_->layout = layout;
  if (bias && bias->shape != Shape{out_features()})
    throw shape_error(bias->name, bias->shape, to_string(Shape{out_features()}) + " = the outputs of " + weight.name,
                      turning(bias->shape == Shape{in_features()}, layout));
  state_->bias = bias;
  state_->compute = compute_dtype(compute);
  state_->product = compute;
}

Linear Linear::load(const Weights& weights, std::size_t out, std::size_t in, DType compute, WeightLayout layout) {
  const bool transposed_storage = layout == WeightLayout::in_out;
  const TensorView weight = weights.get("weight", transposed_storage ? Shape{in, out} : Shape{out, in},
                                        transposed_storage ? "inputs by outputs" : "outputs by inputs");
  const std::size_t outputs = weight.shape[transposed_storage ? 1 : 0],
                    inputs = weight.shape[transposed_storage ? 0 : 1];
  const TensorInfo* bias = weights.info("bias");
  const bool fits_turned = bias != nullptr && bias->shape == Shape{inputs};
  return {weight, weights.find("bias", {outputs}, "outputs", turning(fits_turned, layout)), compute, layout};
}

std::size_t Linear::in_features() const noexcept { return state_->weight.shape[1]; }
std::size_t Linear::out_features() const noexcept { return state_->weight.shape[0]; }
bool Linear::has_bias() const noexcept { return state_->bias.has_value(); }
DType Linear::dtype() const noexcept { return state_->compute; }
const TensorView& Linear::weight() const noexcept { return state_->weight; }
const std::optional<TensorView>& Linear::bias() const noexcept { return state_->bias; }
WeightLayout Linear::layout() const noexcept { return state_->layout; }

Linear Linear::outputs(std::size_t first, std::size_t count, std::optional<TensorView> bias) const {
  const auto begin = static_cast<std::int64_t>(first), end = static_cast<std::int64_t>(first + count);
  const Slab rows{AxisSlab{begin, end, 1, false}};
  if (state_->bias && !bias) bias = slice(*state_->bias, rows);
  const TensorView weight = slice(state_->weight, rows);
  const bool is_turned = state_->layout == WeightLayout::in_out;
  return {is_turned ? transposed(weight, {1, 0}) : weight, bias, state_->product, state_->layout};
}

void Linear::expect_fitting(const TensorView& x) const {
  if (x.rank() == 0 || x.shape.back() != in_features())
    throw shape_error(x.name, x.shape,
                      "(..., " + std::to_string(in_features()) + ") = the inputs of " + state_->weight.name + " " +
                          to_string(state_->weight.shape),
                      turning(x.rank() > 0 && x.shape.back() == out_features(), state_->layout));
}

TensorView Linear::operator()(const TensorView& x, const Execution& execution, Activation activation) const {
  return together({this}, x, execution, activation).front();
}

std::vector<TensorView> Linear::together(const std::vector<const Linear*>& maps, const TensorView& x,
                                         const Execution& execution, Activation activation) {
  const Linear& first = *maps.front();
  first.expect_fitting(x);
  std::vector<TensorView> results;
  const bool are_alike = std::all_of(maps.begin(), maps.end(), [&](const Linear* map) {
    return map->in_features() == first.in_features() && map->dtype() == first.dtype();
  });
  if (!are_alike) {
    for (const Linear* map : maps) results.push_back((*map)(x, execution, activation));
    return results;
  }
  const TensorView input = cast(x, first.dtype());
  const std::size_t inputs = first.in_features(), rows = element_count(Shape(x.shape.begin(), x.shape.end() - 1));
  visit_compute_dtype(first.dtype(), [&](auto element) {
    using T = decltype(element);
    const auto from = strided(input.contiguous_data<T>(), std::array<std::size_t, 2>{rows, inputs});
    std::vector<PackedMatrix::Product<T>> packed;
    for (const Linear* map : maps) {
      Shape shape = x.shape;
      shape.back() = map->out_features();
      if (execution.only_counts(2.0 * static_cast<double>(rows) * static_cast<double>(map->weight().size()))) {
        results.push_back(Tensor::zeros(first.dtype(), shape).view(x.name));
        continue;
      }
      if (execution.engine == Engine::reference) {
        results.push_back(map->state_->multiply_reference(input, rows, shape, activation, execution));
        continue;
      }
      Tensor y(first.dtype(), shape);
      const auto to = strided(y.data_as<T>(), std::array<std::size_t, 2>{rows, map->out_features()});
      const Epilogue<T> epilogue{map->state_->bias_data<T>(), activation};
      if (map->state_->stays_as_stored(rows, execution.isa))
        multiply_stored<T>(map->state_->weight, from, to, epilogue, execution);
      else
        packed.push_back({&map->state_->pack(execution), to, epilogue});
      results.push_back(y.view(x.name));
    }
    if (!packed.empty()) PackedMatrix::multiply_together<T>(from, packed, execution);
  });
  return results;
}

namespace {

constexpr std::size_t slope_block = 2048;

/// The slopes act'(z) of at most a block of elements: those of activations with elementary functions by vectors, all
/// others as activation_slope() has them.
template <class T>
void slopes_of(Activation activation, const T* z, std::size_t count, T* slope, Isa isa) {
  const simd::MathKernels<T>& math = simd::math_kernels<T>(isa);
  const auto put = [&](T* to, auto formula) {
    for (std::size_t i = 0; i < count; ++i) to[i] = formula(z[i], to[i]);
  };
  constexpr T half = T(0.5), cubic = T(0.044715);
  T bell[slope_block] = {};
  switch (activation) {
    case Activation::gelu:
      put(bell, [](T x, T) { return -half * x * x; });
      math.exp(bell, bell, count);
      put(slope, [](T x, T) { return T(0.70710678118654752440) * x; });
      math.erf(slope, slope, count);
      for (std::size_t i = 0; i < count; ++i)
        slope[i] = half * (1 + slope[i]) + T(0.39894228040143267794) * z[i] * bell[i];
      return;
    case Activation::gelu_tanh:
    case Activation::gelu_fast: {
      const T c = activation == Activation::gelu_fast ? T(0.7978845608) : T(0.79788456080286535588);
      put(slope, [c](T x, T) { return c * (x + cubic * x * x * x); });
      math.tanh(slope, slope, count);
      put(slope, [c](T x, T t) { return half * (1 + t) + half * x * (1 - t * t) * c * (1 + 3 * cubic * x * x); });
      return;
    }
    case Activation::silu:
    case Activation::quick_gelu: {
      const T c = activation == Activation::silu ? T(1) : T(1.702);
      put(slope, [c](T x, T) { return -c * x; });
      math.exp(slope, slope, count);
      put(slope, [c](T x, T e) {
        const T s = 1 / (1 + e);
        return s * (1 + c * x * (1 - s));
      });
      return;
    }
    default: put(slope, [&](T x, T) { return static_cast<T>(activation_slope(activation, static_cast<double>(x))); });
  }
}

/// dy * act'(z), element by element.
template <class T>
TensorView through_activation(const TensorView& z, const TensorView& dy, Activation activation,
                              const Execution& execution) {
  Tensor dz(dy.dtype, dy.shape);
  const T *at = z.contiguous_data<T>(), *from = dy.contiguous_data<T>();
  T* const to = dz.data_as<T>();
  execution.parallel((dz.size() + slope_block - 1) / slope_block, [&](std::size_t task, std::size_t) {
    const std::size_t first = task * slope_block, count = std::min(slope_block, dz.size() - first);
    if (activation == Activation::relu)
      return simd::math_kernels<T>(execution.isa).where_positive(at + first, from + first, to + first, count);
    slopes_of(activation, at + first, count, to + first, execution.isa);
    for (std::size_t i = first; i < first + count; ++i) to[i] *= from[i];
  });
  return dz.view();
}

}  // namespace

LinearGradients Linear::vjp(const TensorView& x, const TensorView& dy, const Execution& execution,
                            Activation activation, const std::optional<TensorView>& z) const {
  expect_fitting(x);
  Shape shape = x.shape;
  shape.back() = out_features();
  if (dy.shape != shape) throw shape_error(dy.name, dy.shape, to_string(shape) + " = the shape of the result");
  const std::size_t in = in_features(), out = out_features(), rows = element_count({shape.begin(), shape.end() - 1});
  const DType compute = dtype();
  const bool is_turned = state_->layout == WeightLayout::in_out;
  const Shape of_weight = is_turned ? Shape{in, out} : Shape{out, in};
  const auto gradients = [&](const TensorView& dx, const TensorView& dw, const TensorView& db) {
    LinearGradients d{renamed(cast(dx, compute), x.name), renamed(cast(dw, compute), weight().name), std::nullopt};
    if (has_bias()) d.bias = cast(db, compute);
    return d;
  };
  if (execution.only_counts(4.0 * static_cast<double>(rows) * static_cast<double>(weight().size()))) {
    const auto zeros = [&](const Shape& of) { return Tensor::zeros(compute, of).view(); };
    return gradients(zeros(x.shape), zeros(of_weight), zeros({out}));
  }
  const TensorView input = reshaped(cast(x, compute), {rows, in});
  TensorView dz = reshaped(cast(dy, compute), {rows, out});
  if (execution.engine == Engine::reference) {
    Tensor dx(DType::f64, x.shape), dw(DType::f64, {out, in});
    const TensorView db =
        state_->differentiate_by_formula(cast(input, DType::f64), cast(dz, DType::f64), activation, dx, dw);
    return gradients(dx.view(), is_turned ? transposed(dw.view(), {1, 0}) : dw.view(), db);
  }
  Tensor dx(compute, x.shape), dw(compute, of_weight);
  visit_compute_dtype(compute, [&](auto element) {
    using T = decltype(element);
    if (activation != Activation::none)
      dz = through_activation<T>(z ? cast(*z, compute) : (*this)(input, execution), dz, activation, execution);
    const auto to = strided(dx.data_as<T>(), std::array<std::size_t, 2>{rows, in});
    state_->pack(execution, true).multiply<T>(dz.as<T, 2>(), to, {}, execution);
    const TensorView &left = is_turned ? input : dz, &right = is_turned ? dz : input;
    multiply_columns<T>(left.as<T, 2>(), right.as<T, 2>(), dw.as<T, 2>(), execution);
  });
  return gradients(dx.view(), dw.view(), has_bias() ? sum_of_rows(dz, execution) : TensorView{});
}

TensorView activated(const TensorView& z, Activation activation, const Execution& execution) {
  const TensorView from = contiguous(z);
  Tensor y(z.dtype, z.shape);
  visit_compute_dtype(z.dtype, [&](auto element) {
    using T = decltype(element);
    constexpr std::size_t block = 16384;
    execution.parallel((y.size() + block - 1) / block, [&](std::size_t task, std::size_t) {
      const std::size_t first = task * block;
      simd::Finish<T> part;
      part.y = y.data_as<T>() + first;
      part.rows = 1;
      part.columns = std::min(block, y.size() - first);
      part.activation = activation;
      std::copy_n(from.contiguous_data<T>() + first, part.columns, part.y);
      simd::gemm_kernels<T>(execution.isa).finish(part);
    });
  });
  return y.view(z.name);
}

}  // namespace attn
