#include <attn/layers/rotary.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace attn;

namespace {

void check(const RotaryScaling& scaling, double base, std::size_t length, const std::vector<double>& expected) {
  const std::vector<double> found = scaled_frequencies(scaling, base, 8, length);
  REQUIRE(found.size() == expected.size());
  for (std::size_t j = 0; j < expected.size(); ++j) {
    INFO("pair " << j << ": " << found[j] << ", expected " << expected[j]);
    CHECK(std::fabs(found[j] - expected[j]) <= 1e-15);
  }
}

}  // namespace

// The expected numbers are inv_freq of transformers 5.23 (modeling_rope_utils.py), computed there in double precision.
TEST_CASE("rotary scaling: yarn") {
  RotaryScaling s;
  s.factor = 4;
  s.original_length = 16;
  check(s, 100, 10, {1.0, 0.07905694150420949, 0.025, 0.007905694150420948});
  CHECK(std::fabs(yarn_magnitude(4) - 1.138629436111989) <= 1e-15);
  s.factor = 8;
  s.fast = 4;
  s.slow = 0.5;
  s.truncate = false;
  check(s, 1000, 10, {1.0, 0.022228492625486533, 0.003952847075210474, 0.0007029266564879364});
  CHECK(std::fabs(yarn_magnitude(8, 0.7) / yarn_magnitude(8, 0.3) - 1.0782934613857693) <= 1e-15);
}

TEST_CASE("rotary scaling: llama3 keeps fast pairs, slows slow ones and blends between") {
  RotaryScaling s;
  s.kind = RotaryScalingKind::llama3;
  s.factor = 8;
  s.original_length = 16;
  s.slow = 1;
  s.fast = 4;
  check(s, 100, 40, {0.5760564010955116, 0.03952847075210474, 0.0125, 0.003952847075210474});
}

TEST_CASE("rotary scaling: longrope changes its factors beyond the original length") {
  RotaryScaling s;
  s.kind = RotaryScalingKind::longrope;
  s.original_length = 16;
  s.short_factors = {1.0, 1.1, 1.3, 1.7};
  s.long_factors = {1.0, 2.0, 3.5, 5.0};
  check(s, 100, 16, {1.0, 0.2874797872880344, 0.07692307692307693, 0.018601633295108114});
  check(s, 100, 17, {1.0, 0.15811388300841897, 0.02857142857142857, 0.00632455532033676});
}

TEST_CASE("rotary scaling: longrope turns as many pairs as it has factors") {
  RotaryEncoding encoding;
  encoding.stretching = RotaryScaling();
  encoding.stretching->kind = RotaryScalingKind::longrope;
  encoding.stretching->short_factors = encoding.stretching->long_factors = {1, 2};
  CHECK(rotary_width(encoding, 4) == 4);
  CHECK_THROWS_WITH_AS(rotary_width(encoding, 8), doctest::Contains("8 is not that of the 2 pairs"), Error);
  encoding.width = 4;
  CHECK(rotary_width(encoding, 8) == 4);
  encoding.stretching->long_factors = {1};
  CHECK_THROWS_AS(rotary_width(encoding, 8), Error);
}

TEST_CASE("rotary scaling: dynamic takes a larger base beyond the original length") {
  RotaryScaling s;
  s.kind = RotaryScalingKind::dynamic;
  s.factor = 4;
  s.original_length = 16;
  check(s, 100, 16, {1.0, 0.31622776601683794, 0.1, 0.03162277660168379});
  const double base = 100 * std::pow(4 * 40.0 / 16 - 3, 8.0 / 6);
  check(s, 100, 40, {1.0, std::pow(base, -0.25), std::pow(base, -0.5), std::pow(base, -0.75)});
}
