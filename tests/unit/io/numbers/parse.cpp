#include <doctest/doctest.h>

#include <attn/io/numbers/numbers.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

using attn::io::parse_number;

namespace {

template <class T>
T parsed(const char* text) {
  T value = 77;
  REQUIRE(parse_number(text, value));
  return value;
}

}  // namespace

TEST_CASE("numbers as text") {
  CHECK(parsed<double>("1.5") == 1.5);
  CHECK(parsed<double>(" +1.5e3\t") == 1500);
  CHECK(std::signbit(parsed<double>("-0")));
  CHECK(parsed<double>("5e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(parsed<double>("INF") == INFINITY);
  CHECK(std::isnan(parsed<double>("nan")));
  CHECK(parsed<float>("0.1") == 0.1f);
  CHECK(parsed<double>("1.0D+03") == 1000);  // as Fortran writes it
  CHECK(parsed<double>("-3.5d-01") == -0.35);
  CHECK(parsed<std::int64_t>("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("what is out of range rounds as IEEE 754 says") {
  CHECK(parsed<double>("1e400") == INFINITY);
  CHECK(parsed<double>("-1e400") == -INFINITY);
  CHECK(parsed<double>("1e-400") == 0);
  CHECK(std::signbit(parsed<double>("-1e-400")));
  CHECK(parsed<double>("0.0000001e-330") == 0);
  CHECK(parsed<double>("100000e350") == INFINITY);
  CHECK(parsed<double>("1e99999999999999999999") == INFINITY);
  CHECK(parsed<double>("1e-99999999999999999999") == 0);
  std::int8_t small = 0;
  CHECK(!parse_number("128", small));
}

TEST_CASE("what is no number") {
  double value = 0;
  for (const char* text : {"", " ", "+", "-", "+-1", "1,5", "1 2", "0x10", "1e", "one", "--1", "1.5.2", "NA", "nan(12)",
                           "1D3", "1.5D", "1.5D2D3"}) {
    CAPTURE(text);
    CHECK(!parse_number(text, value));
  }
}
