#include <attn/matrix/packed_matrix.hpp>
#include <attn/matrix/stored_matrix.hpp>

#include <doctest/doctest.h>
#include <support/closeness.hpp>
#include <support/execution.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace attn;
using support::forced;

namespace {

/// A sum of products in f64, and the sum of their magnitudes.
struct Sum {
  double value = 0, size = 0;
};

std::vector<Sum> plain_sums(const TensorView& x, const TensorView& weight) {
  const auto a = x.as<float, 2>(), w = weight.as<float, 2>();
  std::vector<Sum> sums;
  for (std::size_t i = 0; i < a.shape[0]; ++i)
    for (std::size_t j = 0; j < w.shape[0]; ++j) {
      Sum sum;
      for (std::size_t k = 0; k < a.shape[1]; ++k) {
        const double product = static_cast<double>(a(i, k)) * static_cast<double>(w(j, k));
        sum.value += product;
        sum.size += std::abs(product);
      }
      sums.push_back(sum);
    }
  return sums;
}

Tensor product(const TensorView& x, const TensorView& weight, Isa isa) {
  Tensor y(DType::f32, {x.shape[0], weight.shape[0]});
  PackedMatrix(weight, DType::f32, forced(isa)).multiply<float>(x.as<float, 2>(), y.as<float, 2>(), {}, {});
  return y;
}

struct Errors {
  double largest = 0, root_mean_square = 0;
};

/// In units of the rounding of the sum of magnitudes.
Errors errors_of(const TensorView& x, const TensorView& weight, const std::vector<Sum>& exact, Isa isa) {
  Tensor y = product(x, weight, isa);
  Errors errors;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double error = std::abs(static_cast<double>(y.data_as<float>()[i]) - exact[i].value) /
                         (exact[i].size * support::epsilon<float>());
    errors.largest = std::max(errors.largest, error);
    errors.root_mean_square += error * error / static_cast<double>(exact.size());
  }
  errors.root_mean_square = std::sqrt(errors.root_mean_square);
  return errors;
}

}  // namespace

TEST_CASE("an f32 product is no worse on an instruction set that sums pieces of bf16 than by multiply-adds") {
  support::Random random(11);
  for (const std::size_t inputs : {32, 77, 600, 3000}) {
    const TensorView x = random.tensor(DType::f32, {40, inputs}), weight = random.tensor(DType::f32, {70, inputs});
    const std::vector<Sum> exact = plain_sums(x, weight);
    const Errors by_multiply_adds = errors_of(x, weight, exact, Isa::baseline);
    for (const Isa isa : available_isas()) {
      const Errors errors = errors_of(x, weight, exact, isa);
      INFO(name_of(isa), ", ", inputs, " inputs: ", errors.root_mean_square, " ", by_multiply_adds.root_mean_square);
      CHECK(errors.root_mean_square <= 1.1 * by_multiply_adds.root_mean_square);
      CHECK(errors.largest <= 2 * by_multiply_adds.largest);
    }
  }
  // Numbers of one sign, all of whose digits count: what the pieces leave out would add up.
  Tensor x(DType::f32, {3, 512}), weight(DType::f32, {17, 512});
  std::fill_n(x.data_as<float>(), x.size(), std::nextafter(2.0f, 0.0f));
  std::fill_n(weight.data_as<float>(), weight.size(), 0.1f);
  const std::vector<Sum> exact = plain_sums(x.view(), weight.view());
  for (const Isa isa : available_isas()) CHECK(errors_of(x.view(), weight.view(), exact, isa).largest <= 40);
}

TEST_CASE("infinite, huge, tiny and missing numbers in rows and weights give what they must, and the bits of the row") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  // What one element, or all, of a row or a column are.
  struct Case {
    float one, all;
  };
  const Case cases[] = {{1, 1},      {infinity, 1},  {-infinity, 1},   {nan, 1},    {3e38f, 1},
                        {1, 1e37f},  {1e30f, 1e-6f}, {1, 1e-20f},      {1e-30f, 0}, {1, 1e-36f},
                        {1, 1e-42f}, {0, 0},         {1e-38f, 1e-38f}, {1e-44f, 0}, {1e20f, 1e-20f}};
  constexpr std::size_t count = sizeof cases / sizeof *cases, inputs = 70, outputs = 5 * count, rows = 3 * count;
  support::Random random(12);
  Tensor x(DType::f32, {rows, inputs}), weight(DType::f32, {outputs, inputs});
  const auto fill = [&](Tensor& matrix, std::size_t vectors, std::size_t special) {
    for (std::size_t i = 0; i < vectors; ++i)
      for (std::size_t k = 0; k < inputs; ++k) {
        const Case& c = cases[i % count];
        matrix.data_as<float>()[i * inputs + k] = (k == special ? c.one : c.all) * static_cast<float>(random.normal());
      }
  };
  fill(x, rows, 3);
  fill(weight, outputs, 40);
  const TensorView by_inputs = transposed(contiguous(transposed(weight.view(), {1, 0})), {1, 0});
  const std::vector<Sum> exact = plain_sums(x.view(), weight.view());
  constexpr double most = std::numeric_limits<float>::max();
  for (const Isa isa : available_isas()) {
    Tensor y = product(x.view(), weight.view(), isa);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double sum = static_cast<double>(y.data_as<float>()[i]);
      INFO(name_of(isa), ", row ", i / outputs, ", column ", i % outputs, ": ", sum, " for ", exact[i].value);
      if (std::isnan(exact[i].value))
        CHECK(std::isnan(sum));
      else if (std::isinf(exact[i].value))
        CHECK_FALSE(std::isfinite(sum));  // NaN where other terms overflow the other way
      else if (exact[i].size < most)
        CHECK(std::abs(sum - exact[i].value) <= 4.0 * inputs * (support::epsilon<float>() * exact[i].size + 0x1p-149));
    }
    const PackedMatrix packed(weight.view(), DType::f32, forced(isa));
    const Strided<const float, 2> all = static_cast<const Tensor&>(x).view().as<float, 2>();
    for (const std::size_t together : {1, 2, 3, 8}) {
      Tensor some(DType::f32, {together, outputs}), stored(DType::f32, {together, outputs});
      for (std::size_t row = 0; row + together <= rows; row += together) {
        const Strided<const float, 2> part{all[row].data, {together, inputs}, all.strides};
        packed.multiply<float>(part, some.as<float, 2>(), {}, {});
        INFO(name_of(isa), ", rows ", row, " and ", together - 1, " more");
        CHECK(std::memcmp(some.data(), y.data_as<float>() + row * outputs, some.size() * sizeof(float)) == 0);
        for (const TensorView& lies : {weight.view(), by_inputs}) {
          multiply_stored<float>(lies, part, stored.as<float, 2>(), {}, forced(isa));
          CHECK(std::memcmp(stored.data(), some.data(), some.size() * sizeof(float)) == 0);
        }
      }
    }
  }
}

TEST_CASE("infinite weights of f16 and bf16 leave other columns their bits, in any batch") {
  constexpr std::size_t rows = 17, inputs = 128, outputs = 70;
  support::Random random(13);
  for (const DType dtype : {DType::f16, DType::bf16, DType::f32}) {
    const TensorView x = random.tensor(DType::f32, {rows, inputs});
    TensorView weight = cast(random.tensor(DType::f32, {outputs, inputs}), DType::f64);
    Tensor changed(DType::f64, {outputs, inputs});
    std::copy_n(weight.contiguous_data<double>(), changed.size(), changed.data_as<double>());
    changed.data_as<double>()[3 * inputs + 5] = std::numeric_limits<double>::infinity();
    weight = cast(changed.view(), dtype);
    const TensorView by_inputs = transposed(contiguous(transposed(weight, {1, 0})), {1, 0});
    const Strided<const float, 2> all = x.as<float, 2>();
    for (const Isa isa : available_isas()) {
      const PackedMatrix packed(weight, DType::f32, forced(isa));
      Tensor y(DType::f32, {rows, outputs});
      packed.multiply<float>(all, y.as<float, 2>(), {}, {});
      for (const std::size_t together : {1, 3, 8}) {
        INFO(name_of(isa), ", ", name_of(dtype), ", ", together, " rows");
        Tensor some(DType::f32, {together, outputs});
        const Strided<const float, 2> part{all.data, {together, inputs}, all.strides};
        packed.multiply<float>(part, some.as<float, 2>(), {}, {});
        CHECK(std::memcmp(some.data(), y.data(), some.size() * sizeof(float)) == 0);
        for (const TensorView& lies : {weight, by_inputs}) {
          multiply_stored<float>(lies, part, some.as<float, 2>(), {}, forced(isa));
          CHECK(std::memcmp(some.data(), y.data(), some.size() * sizeof(float)) == 0);
        }
      }
    }
  }
}
