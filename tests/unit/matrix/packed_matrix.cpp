#include <attn/matrix/packed_matrix.hpp>
#include <attn/matrix/stored_matrix.hpp>
#include <attn/simd/gemm.hpp>

#include <doctest/doctest.h>
#include <support/closeness.hpp>
#include <support/execution.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

using namespace attn;
using support::forced;

namespace {

/// y = x W^T + bias in f64, as the formula says.
template <class T>
std::vector<double> plain_product(const TensorView& x, const TensorView& weight, const std::vector<T>& bias) {
  const TensorView x64 = cast(x, DType::f64), w64 = cast(weight, DType::f64);
  const auto a = x64.as<double, 2>(), w = w64.as<double, 2>();
  std::vector<double> y;
  for (std::size_t i = 0; i < a.shape[0]; ++i)
    for (std::size_t j = 0; j < w.shape[0]; ++j) {
      double sum = bias.empty() ? 0 : static_cast<double>(bias[j]);
      for (std::size_t k = 0; k < a.shape[1]; ++k) sum += a(i, k) * w(j, k);
      y.push_back(sum);
    }
  return y;
}

template <class T>
void check_product(DType stored, std::size_t rows, std::size_t inputs, std::size_t outputs, Isa isa) {
  support::Random random(rows * 1000003 + inputs * 1009 + outputs);
  const DType compute = dtype_of_v<T>;
  const TensorView x = random.tensor(compute, {rows, inputs}), weight = random.tensor(stored, {outputs, inputs});
  std::vector<T> bias(outputs);
  for (T& b : bias) b = static_cast<T>(random.normal());
  const std::vector<double> expected = plain_product(x, weight, bias);

  const PackedMatrix packed(weight, compute, forced(isa));
  Tensor y(compute, {rows, outputs});
  const Epilogue<T> epilogue{bias.data(), Activation::none};
  packed.multiply<T>(x.as<T, 2>(), y.as<T, 2>(), epilogue, {});
  // A sum of n terms of size 1 has size sqrt n; each of its steps rounds once, and so does the bias.
  const double bound = support::epsilon<T>() * static_cast<double>(inputs + 4) * 4;
  for (std::size_t i = 0; i < y.size(); ++i)
    REQUIRE_MESSAGE(std::abs(static_cast<double>(y.data_as<T>()[i]) - expected[i]) <= bound, name_of(isa), " ", rows,
                    " x ", inputs, " x ", outputs, " at ", i);

  // One row at a time, from the transposed weight, from a strided x, on a pool: the same bits.
  const PackedMatrix from_columns(transposed(contiguous(transposed(weight, {1, 0})), {1, 0}), compute, forced(isa));
  ThreadPool pool(3);
  Execution threaded;
  threaded.pool = &pool;
  Tensor again(compute, {rows, outputs});
  from_columns.multiply<T>(x.as<T, 2>(), again.as<T, 2>(), epilogue, threaded);
  REQUIRE(std::memcmp(again.data(), y.data(), y.size() * sizeof(T)) == 0);
  const TensorView columns_first = contiguous(transposed(x, {1, 0}));
  Strided<const T, 2> strided_x = transposed(columns_first, {1, 0}).as<T, 2>();
  for (std::size_t i = 0; i < rows; ++i) {
    Strided<const T, 2> row{&strided_x(i, 0), {1, inputs}, strided_x.strides};
    Strided<T, 2> out{again.data_as<T>() + i * outputs, {1, outputs}, {static_cast<std::ptrdiff_t>(outputs), 1}};
    packed.multiply<T>(row, out, epilogue, {});
  }
  REQUIRE(std::memcmp(again.data(), y.data(), y.size() * sizeof(T)) == 0);
}

}  // namespace

TEST_CASE("a packed product is the plain one, and its bits do not depend on rows, threads or strides") {
  for (const Isa isa : available_isas()) {
    for (const std::size_t rows : {1, 2, 5, 6, 7, 13, 96, 97, 200})
      for (const std::size_t outputs : {1, 15, 16, 17, 31, 33, 63, 64, 65, 130})
        check_product<float>(DType::f32, rows, 37, outputs, isa);
    for (const std::size_t inputs : {1, 2, 511, 512, 513, 1100}) {
      check_product<float>(DType::f32, 7, inputs, 65, isa);
      check_product<float>(DType::f16, 7, inputs, 65, isa);
      check_product<float>(DType::bf16, 7, inputs, 65, isa);
      check_product<double>(DType::f64, 7, inputs, 65, isa);
      check_product<double>(DType::f32, 7, inputs, 33, isa);
    }
    for (const std::size_t outputs : {1, 3, 4, 7, 8, 9, 16, 17, 32, 33, 70})
      check_product<double>(DType::f64, 13, 20, outputs, isa);
  }
}

TEST_CASE("many rows are packed, where columns are many, and go through blocks of the depth") {
  // In f32 no panel of AVX-512 is full in 37 columns, two are in 130; for 530 the rows are packed.
  for (const Isa isa : available_isas()) {
    for (const std::size_t outputs : {37, 130, 530}) {
      check_product<float>(DType::f32, 67, 700, outputs, isa);
      check_product<float>(DType::bf16, 67, 700, outputs, isa);
      check_product<float>(DType::f32, 67, 1300, outputs, isa);
      check_product<double>(DType::f64, 67, 700, outputs, isa);
    }
    for (const std::size_t rows : {65, 203}) {
      check_product<float>(DType::f32, rows, 515, 600, isa);
      check_product<double>(DType::f64, rows, 513, 530, isa);
    }
  }
}

TEST_CASE("a product over no inputs is the bias") {
  for (const Isa isa : available_isas()) check_product<float>(DType::f32, 3, 0, 5, isa);
}

TEST_CASE("the epilogue applies the activation to product and bias") {
  support::Random random(7);
  const std::size_t rows = 9, inputs = 30, outputs = 70;
  const TensorView x = random.tensor(DType::f64, {rows, inputs}), weight = random.tensor(DType::f64, {outputs, inputs});
  std::vector<double> bias(outputs, 0.25);
  const std::vector<double> product = plain_product(x, weight, bias);
  const auto expected = [](Activation activation, double a) -> double {
    const double gelu = a * (1 + std::erf(a / std::sqrt(2.0))) / 2;
    switch (activation) {
      case Activation::none: return a;
      case Activation::relu: return a > 0 ? a : 0;
      case Activation::gelu: return gelu;
      case Activation::gelu_tanh:
        return a * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (a + 0.044715 * a * a * a))) / 2;
      case Activation::silu: return a / (1 + std::exp(-a));
      case Activation::tanh: return std::tanh(a);
      case Activation::sigmoid: return 1 / (1 + std::exp(-a));
      case Activation::quick_gelu: return a / (1 + std::exp(-1.702 * a));
      case Activation::gelu_fast: return a * (1 + std::tanh(0.7978845608 * (a + 0.044715 * a * a * a))) / 2;
      case Activation::gelu_10: return std::min(gelu, 10.0);
      case Activation::relu2: return std::pow(std::max(a, 0.0), 2);
      case Activation::relu6: return std::min(std::max(a, 0.0), 6.0);
      case Activation::leaky_relu: return std::max(a, a / 100);
      case Activation::mish: return a * std::tanh(std::log(1 + std::exp(a)));
      case Activation::hardswish: return a * std::min(std::max(a + 3, 0.0), 6.0) / 6;
      case Activation::laplace: return (1 + std::erf((a - 0.707107) / (0.282095 * std::sqrt(2.0)))) / 2;
    }
    return a;
  };
  for (const Isa isa : available_isas())
    for (const Activation activation :
         {Activation::none, Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu,
          Activation::tanh, Activation::sigmoid, Activation::quick_gelu, Activation::gelu_fast, Activation::gelu_10,
          Activation::relu2, Activation::relu6, Activation::leaky_relu, Activation::mish, Activation::hardswish,
          Activation::laplace}) {
      const PackedMatrix packed(weight, DType::f64, forced(isa));
      Tensor y(DType::f64, {rows, outputs});
      packed.multiply<double>(x.as<double, 2>(), y.as<double, 2>(), {bias.data(), activation}, {});
      for (std::size_t i = 0; i < y.size(); ++i)
        REQUIRE(std::abs(y.data_as<double>()[i] - expected(activation, product[i])) <=
                support::epsilon<double>() * inputs * 16 * std::max(1.0, std::abs(product[i])));
    }
}

TEST_CASE("gelu in f32 is that of f64 but for the rounding of 1 + erf, below 0 as above") {
  std::vector<float> x;
  for (int i = -14000; i <= 14000; ++i) x.push_back(static_cast<float>(i) / 1000);
  for (float size = 1e-30f; size < 1e30f; size *= 7) x.insert(x.end(), {size, -size});
  for (const Isa isa : available_isas()) {
    std::vector<float> y = x;
    simd::Finish<float> finish;
    finish.y = y.data();
    finish.rows = 1;
    finish.columns = y.size();
    finish.activation = Activation::gelu;
    simd::gemm_kernels<float>(isa).finish(finish);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double a = x[i], exact = a * std::erfc(-a / std::sqrt(2.0)) / 2;
      // e / 2 or 1 - e / 2 is off by 3e-8 at most, then it and the product are rounded.
      const double bound = 3e-8 * std::abs(a) + 2 * support::epsilon<float>() * std::abs(exact);
      REQUIRE_MESSAGE(std::abs(static_cast<double>(y[i]) - exact) <= bound, name_of(isa), " gelu(", a, ") = ", y[i]);
    }
  }
}

template <class T>
void check_stored(DType stored, std::size_t rows, std::size_t inputs, std::size_t outputs, Isa isa) {
  support::Random random(5);
  const DType compute = dtype_of_v<T>;
  const TensorView x = random.tensor(compute, {rows, inputs}), bias = random.tensor(compute, {outputs});
  const TensorView by_output = cast(random.tensor(compute, {outputs, inputs}), stored);
  const TensorView by_input = transposed(contiguous(transposed(by_output, {1, 0})), {1, 0});
  const Epilogue<T> epilogue{bias.contiguous_data<T>(), Activation::silu};
  Execution execution;
  execution.isa = isa;
  Tensor packed(compute, {rows, outputs}), y(compute, {rows, outputs});
  PackedMatrix(by_output, compute, forced(isa)).multiply<T>(x.as<T, 2>(), packed.as<T, 2>(), epilogue, execution);
  for (const TensorView& weight : {by_output, by_input}) {
    REQUIRE(is_readable_as_stored(weight, compute, isa));
    multiply_stored<T>(weight, x.as<T, 2>(), y.as<T, 2>(), epilogue, execution);
    INFO(inputs, " inputs, ", outputs, " outputs, ", name_of(stored));
    REQUIRE(std::memcmp(y.data(), packed.data(), y.size() * sizeof(T)) == 0);
  }
}

TEST_CASE("a stored matrix gives the bits of a packed one, whichever axis lies side by side") {
  for (const Isa isa : available_isas())
    for (const std::size_t inputs : {1, 7, 16, 33, 512, 530})
      for (const std::size_t outputs : {1, 3, 16, 65, 128, 300}) {
        check_stored<float>(DType::f32, 3, inputs, outputs, isa);
        check_stored<float>(DType::f16, 1, inputs, outputs, isa);
        check_stored<float>(DType::bf16, 2, inputs, outputs, isa);
        check_stored<double>(DType::f64, 2, inputs, outputs, isa);
      }
}

TEST_CASE("a packed matrix refuses what does not fit") {
  support::Random random(1);
  CHECK_THROWS_AS(PackedMatrix(random.tensor(DType::f32, {3}), DType::f32), Error);
  const PackedMatrix packed(random.tensor(DType::f32, {4, 3}), DType::f32);
  CHECK(packed.inputs() == 3);
  CHECK(packed.outputs() == 4);
  const TensorView x = random.tensor(DType::f32, {2, 5});
  Tensor y(DType::f32, {2, 4});
  CHECK_THROWS_AS(packed.multiply<float>(x.as<float, 2>(), y.as<float, 2>(), {}, {}), Error);
}

TEST_CASE("where bf16 arithmetic is allowed, a product is that of rounded rows, and a row has the bits of its batch") {
  const std::size_t sizes[][3] = {{1, 32, 16},  {1, 5, 3},    {2, 33, 17},  {16, 64, 48},   {17, 31, 40},
                                  {33, 96, 50}, {40, 200, 1}, {128, 0, 20}, {131, 100, 300}};
  for (const Isa isa : available_isas())
    for (const auto& [rows, inputs, outputs] : sizes) {
      support::Random random(rows * 1000003 + inputs * 1009 + outputs);
      const TensorView x = random.tensor(DType::f32, {rows, inputs});
      const TensorView weight = random.tensor(DType::bf16, {outputs, inputs});
      const std::vector<float> bias(outputs, 0.5f);
      const std::vector<double> exact = plain_product(x, weight, bias);
      const std::vector<double> expected = plain_product(cast(x, DType::bf16), weight, bias);
      const PackedMatrix packed(weight, DType::bf16, forced(isa));
      const bool rounds = isa >= Isa::avx512bf16;
      Tensor y(DType::f32, {rows, outputs}), alone(DType::f32, {1, outputs});
      ThreadPool pool(3);
      Execution threaded;
      threaded.pool = &pool;
      const Epilogue<float> epilogue{bias.data(), Activation::none};
      packed.multiply<float>(x.as<float, 2>(), y.as<float, 2>(), epilogue, threaded);
      const double bound = support::epsilon<float>() * static_cast<double>(inputs + 4) * 4;
      for (std::size_t i = 0; i < y.size(); ++i)
        REQUIRE_MESSAGE(std::abs(static_cast<double>(y.data_as<float>()[i]) - (rounds ? expected : exact)[i]) <= bound,
                        name_of(isa), " ", rows, " x ", inputs, " x ", outputs, " at ", i);
      for (std::size_t row = 0; row < rows; row += 7) {
        const Strided<const float, 2> all = x.as<float, 2>();
        const Strided<const float, 2> one{all[row].data, {1, inputs}, all.strides};
        packed.multiply<float>(one, alone.as<float, 2>(), epilogue, {});
        REQUIRE(std::memcmp(alone.data(), y.data_as<float>() + row * outputs, outputs * sizeof(float)) == 0);
      }
      const TensorView columns_first = contiguous(transposed(x, {1, 0}));
      Tensor again(DType::f32, {rows, outputs});
      packed.multiply<float>(transposed(columns_first, {1, 0}).as<float, 2>(), again.as<float, 2>(), epilogue, {});
      REQUIRE(std::memcmp(again.data(), y.data(), y.size() * sizeof(float)) == 0);
    }
}

TEST_CASE("a panel in parts of its depth gives the bits of the whole") {
  for (const Isa isa : available_isas()) {
    const simd::GemmKernels<float>& kernel = simd::gemm_kernels<float>(isa);
    support::Random random(3);
    const std::size_t rows = 20, depth = 150, columns = kernel.panel_width;
    const TensorView a = random.tensor(DType::f32, {rows, depth}), panel = random.tensor(DType::f32, {depth, columns});
    Tensor whole(DType::f32, {rows, columns}), parts(DType::f32, {rows, columns});
    simd::PanelProduct<float> product;
    product.a = a.contiguous_data<float>();
    product.a_stride = static_cast<std::ptrdiff_t>(depth);
    product.panel = panel.data;
    product.y_stride = static_cast<std::ptrdiff_t>(columns);
    product.rows = rows;
    product.columns = columns;
    product.depth = depth;
    for (const bool accumulate : {false, true}) {
      product.accumulate = accumulate;
      product.y = whole.data_as<float>();
      product.part = 0;
      kernel.multiply[0](product);
      product.y = parts.data_as<float>();
      product.part = 64;
      kernel.multiply[0](product);
      CHECK(std::memcmp(whole.view().data, parts.view().data, whole.view().bytes()) == 0);
    }
  }
}
