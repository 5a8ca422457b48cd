// The quick reader of decimal numbers against std::from_chars, bit by bit.
#include <doctest/doctest.h>

#include <attn/core/from_chars.hpp>
#include <attn/io/numbers/decimal.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

using namespace attn::io;

namespace {

/// The number in the middle of a text, as both read it: true where the quick reader took it.
template <class T>
bool agrees(const std::string& number) {
  const std::string text = std::string(decimal_room_before, '7') + number + "," + std::string(decimal_room, '7');
  const char* const at = text.data() + decimal_room_before;
  T quick = 77, expected = 77;
  const char* const behind = read_decimal(at, quick);
  if (behind == nullptr) return false;
  const auto result = attn::from_chars(at, text.data() + text.size(), expected);
  CAPTURE(number);
  REQUIRE(result.ec == std::errc());
  REQUIRE(behind == result.ptr);
  REQUIRE(std::memcmp(&quick, &expected, sizeof(T)) == 0);
  return true;
}

template <class T>
std::string shortest(T value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// More digits than tell two neighbours apart.
std::string with_digits(long double value, int digits) {
  char text[64];
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.*Lg", digits, value))};
}

/// How many of `count` numbers the quick reader took.
template <class T, class Make>
int taken_of(int count, Make&& make) {
  int taken = 0;
  for (int i = 0; i < count; ++i) taken += agrees<T>(make());
  return taken;
}

#if defined(__SSE2__)
constexpr bool declines_all = false;
#else
constexpr bool declines_all = true;
#endif

}  // namespace

TEST_CASE("plain numbers are read quickly and right" * doctest::skip(declines_all)) {
  for (const char* number : {"0",
                             "-0",
                             "0.0",
                             "-0.000",
                             "0e7",
                             "1",
                             "-1",
                             "0.1",
                             "0.5",
                             "1.5",
                             "100",
                             "1e3",
                             "1E+3",
                             "12345678.87654321",
                             "9007199254740991",
                             "0.30000000000000004",
                             "-0.9999999999999999",
                             "1.7976931348623157e50",
                             "1e-30",
                             "3.141592653589793",
                             "0.0001234567890123456",
                             "1234567890123456.789",
                             "1234567890.123456789"}) {
    CAPTURE(number);
    CHECK(agrees<double>(number));
    CHECK(agrees<float>(number) == (std::strstr(number, "e50") == nullptr));
  }
}

TEST_CASE("what is unusual is declined, never misread") {
  for (const char* number : {"",
                             "-",
                             "+1",
                             ".5",
                             "1.",
                             "1.e5",
                             "e5",
                             "1e",
                             "1e+",
                             "nan",
                             "inf",
                             "-inf",
                             "\"1\"",
                             " 1",
                             "--1",
                             "12345678901234567",
                             "0.00000000000000000001",
                             "1234567890.1234567891",
                             "1e55",
                             "1e-55",
                             "1e10000",
                             "1e-10000",
                             "1e400",
                             "5e-324",
                             "2.2250738585072011e-308",
                             "1234567890123456.12345678901234567",
                             "9007199254740993e0",
                             "9007199254740993.0"}) {
    CAPTURE(number);
    CHECK(!agrees<double>(number));
  }
  CHECK(!agrees<float>("1e39"));
  CHECK(!agrees<float>("3.4028236e38"));
  CHECK(!agrees<float>("1e-40"));
  CHECK(!agrees<float>("16777217"));  // half way
  CHECK(agrees<float>("16777219.1"));
}

TEST_CASE("random numbers of every kind have the bits of from_chars" * doctest::skip(declines_all)) {
  std::mt19937_64 random(1);
  const auto unit = [&] { return static_cast<double>(random() >> 11) / 9007199254740992.0 - 0.5; };
  constexpr int count = 20'000;
  CHECK(taken_of<double>(count, [&] { return shortest(unit()); }) > count * 9 / 10);
  CHECK(taken_of<double>(count, [&] { return shortest(unit() * 1e6); }) > count * 9 / 10);
  CHECK(taken_of<float>(count, [&] { return shortest(static_cast<float>(unit())); }) > count * 9 / 10);
  // Any bits: most are far outside of the powers it knows.
  CHECK(taken_of<double>(count, [&] {
          const std::uint64_t bits = random();
          double value;
          std::memcpy(&value, &bits, sizeof value);
          return shortest(std::isfinite(value) ? value : 1.0);
        }) > count / 20);
  // Digits and exponents at random.
  CHECK(taken_of<double>(count, [&] {
          return std::to_string(random() % 10 + 1) + "." + std::to_string(random() >> (8 + random() % 56)) + "e" +
                 std::to_string(static_cast<int>(random() % 120) - 60);
        }) > count / 2);
  // Whole numbers times powers of ten that are half way between two doubles, and their neighbours.
  CHECK(taken_of<double>(count, [&] {
          const std::uint64_t odd = (std::uint64_t{1} << 53) | (random() >> 11) | 1;
          return std::to_string((odd + random() % 3 - 1) % 10'000'000'000'000'000u) + "e" +
                 std::to_string(static_cast<int>(random() % 60) - 30);
        }) > count / 2);
}

TEST_CASE("numbers between two neighbours round to the nearer one") {
  std::mt19937_64 random(2);
  constexpr int count = 20'000;
  const auto between = [&](auto value, int digits) {
    const auto next = std::nextafter(value, std::numeric_limits<decltype(value)>::infinity());
    return with_digits((static_cast<long double>(value) + next) / 2, digits);
  };
  int taken = 0;
  for (int i = 0; i < count; ++i) {
    const auto scale = std::ldexp(1.0, -static_cast<int>(random() % 70));
    taken += agrees<double>(between(static_cast<double>(random() >> 12) * scale, 16 + static_cast<int>(random() % 4)));
    taken += agrees<float>(
        between(static_cast<float>(static_cast<double>(random() >> 41) * scale), 7 + static_cast<int>(random() % 13)));
  }
  CHECK(taken > count / 2);
}
