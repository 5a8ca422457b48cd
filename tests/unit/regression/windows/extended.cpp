// Two doubles as one number, beside x87's long double with 64 bits.
#include "support/random.hpp"

#include <attn/regression/windows/extended.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace attn {
namespace {

long double wide(DoubleDouble x) {
  const auto high = static_cast<double>(x);
  return static_cast<long double>(high) + static_cast<long double>(static_cast<double>(x - high));
}

bool is_close(DoubleDouble x, long double expected, long double size) {
  return std::fabs(wide(x) - expected) <= 0x1p-61L * size;
}

}  // namespace

TEST_CASE("double-double: sums, products, quotients and roots have the digits of long double") {
  support::Random random(7);
  for (int i = 0; i < 1000; ++i) {
    const DoubleDouble a = DoubleDouble(random.normal()) + random.normal() * 1e-17;
    const DoubleDouble b = DoubleDouble(random.normal()) - random.normal() * 1e-18;
    const long double u = wide(a), v = wide(b);
    CHECK(is_close(a + b, u + v, std::fabs(u) + std::fabs(v)));
    CHECK(is_close(a - b, u - v, std::fabs(u) + std::fabs(v)));
    CHECK(is_close(a * b, u * v, std::fabs(u * v)));
    CHECK(is_close(a / b, u / v, std::fabs(u / v)));
    CHECK(is_close(sqrt(abs(a)), std::sqrt(std::fabs(u)), std::sqrt(std::fabs(u))));
    CHECK((a < b) == (u < v));
    CHECK((a >= b) == (u >= v));
  }
}

TEST_CASE("double-double: what cancels leaves what double has lost") {
  DoubleDouble sum = 1;
  sum += 0x1p-80;
  sum -= 1;
  CHECK(static_cast<double>(sum) == 0x1p-80);
  const DoubleDouble third = DoubleDouble(1) / 3;
  CHECK(std::fabs(static_cast<double>(third * 3 - 1)) < 0x1p-98);
}

TEST_CASE("double-double: infinity and NaN stay what they are") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(static_cast<double>(DoubleDouble(infinity) + 1) == infinity);
  CHECK(static_cast<double>(DoubleDouble(1e300) * 1e300) == infinity);
  CHECK(static_cast<double>(DoubleDouble(1) / infinity) == 0);
  CHECK(std::isnan(static_cast<double>(DoubleDouble(infinity) - infinity)));
  CHECK_FALSE(DoubleDouble(std::nan("")) > 0);
  CHECK(static_cast<double>(sqrt(DoubleDouble(0))) == 0);
  CHECK(std::isnan(static_cast<double>(sqrt(DoubleDouble(-1)))));
}

}  // namespace attn
