#include <attn/transformer/text_vectors.hpp>

#include <attn/core/tensor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace attn;

TEST_CASE("pool: over the real vectors only") {
  Tensor x(DType::f32, {2, 3, 1}), mask(DType::u8, {2, 3});
  const float values[] = {1, 2, 6, 7, 9, 100};
  const std::uint8_t real[] = {1, 1, 1, 0, 1, 0};
  std::copy_n(values, 6, x.data_as<float>());
  std::copy_n(real, 6, mask.data_as<std::uint8_t>());
  const auto pooled = [&](Pooling pooling, bool masked, std::size_t skipped = 0) {
    const TensorView y = pool(x.view(), masked ? std::optional(mask.view()) : std::nullopt, pooling, skipped);
    CHECK(y.shape == Shape{2, 1});
    return std::vector<float>(y.contiguous_data<float>(), y.contiguous_data<float>() + 2);
  };
  CHECK(pooled(Pooling::mean, true) == std::vector<float>{3, 9});
  CHECK(pooled(Pooling::first, true) == std::vector<float>{1, 9});
  CHECK(pooled(Pooling::last, true) == std::vector<float>{6, 9});
  CHECK(pooled(Pooling::last, false) == std::vector<float>{6, 100});
  CHECK(pooled(Pooling::max, true) == std::vector<float>{6, 9});
  CHECK(pooled(Pooling::mean_sqrt_length, true) == std::vector<float>{static_cast<float>(9 / std::sqrt(3.0)), 9});
  CHECK(pooled(Pooling::weighted_mean, true) == std::vector<float>{static_cast<float>(23 / 6.0), 9});
  CHECK(pooled(Pooling::weighted_mean, true, 1) == std::vector<float>{static_cast<float>(22 / 5.0), 0});
  CHECK(pooled(Pooling::first, true, 2) == std::vector<float>{6, 0});
}
