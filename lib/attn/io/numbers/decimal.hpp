#pragma once
// Decimal numbers of the usual length into floating point, correctly rounded, in about half the time of
// std::from_chars. Unusual numbers are declined and left to it, so that every result is exact.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace attn::io {

/// Number of characters that read_decimal() may touch before a number, and from its start on.
constexpr std::ptrdiff_t decimal_room_before = 20, decimal_room = 40;

#if defined(__SSE2__) && defined(__SIZEOF_INT128__)

namespace decimal {

__extension__ typedef unsigned __int128 Uint128;

/// 5^exponent = (2^64 high + low + error) 2^(shift - 64), 0 <= error < 1, the first bit of high set.
struct PowerOfFive {
  std::uint64_t high = 0, low = 0;
  int shift = 0;
};

/// Powers up to this one are whole numbers of 126 bits; the negative ones are divisions by these.
constexpr int largest_power = 54;

constexpr PowerOfFive power_of_five(Uint128 bits, int shift) {
  return {static_cast<std::uint64_t>(bits >> 64), static_cast<std::uint64_t>(bits), shift};
}

constexpr auto make_powers_of_five() {
  std::array<PowerOfFive, 2 * largest_power + 1> powers{};
  Uint128 power = 1;
  for (std::size_t exponent = 0; exponent <= largest_power; ++exponent, power *= 5) {
    Uint128 bits = power;
    int length = 128;
    for (; (bits >> 127) == 0; bits <<= 1) --length;
    powers[largest_power + exponent] = power_of_five(bits, length - 64);
    if (exponent == 0) continue;
    // 2^(length + 127) / power, which has 128 bits, by long division.
    Uint128 quotient = 0, rest = Uint128{1} << (length - 1);
    for (int bit = 0; bit < 128; ++bit) {
      rest <<= 1;
      quotient = (quotient << 1) | (rest >= power);
      if (rest >= power) rest -= power;
    }
    powers[largest_power - exponent] = power_of_five(quotient, -63 - length);
  }
  return powers;
}
inline constexpr auto powers_of_five = make_powers_of_five();

constexpr auto make_powers_of_ten() {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}
inline constexpr auto powers_of_ten = make_powers_of_ten();

/// Bit k of the result: is at[k] not a digit? For 16 characters.
inline std::uint32_t find_others(const char* at) noexcept {
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i digits = _mm_sub_epi8(text, _mm_set1_epi8('0'));
  const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
  return 0xffffu ^ static_cast<std::uint32_t>(_mm_movemask_epi8(is_digit));
}

/// The number in the last `count` characters before `end`, at most 16: by pairs, fours and eights of digits.
inline std::uint64_t read_digits(const char* end, int count) noexcept {
  alignas(16) static constexpr std::array<std::int8_t, 32> last_kept = {
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  const auto weights = [](int first) { return _mm_set1_epi32(first | (1 << 16)); };
  const __m128i kept = _mm_loadu_si128(reinterpret_cast<const __m128i*>(last_kept.data() + count));
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - 16));
  const __m128i digits = _mm_and_si128(_mm_sub_epi8(text, _mm_set1_epi8('0')), kept), zero = _mm_setzero_si128();
  const __m128i twos = _mm_packs_epi32(_mm_madd_epi16(_mm_unpacklo_epi8(digits, zero), weights(10)),
                                       _mm_madd_epi16(_mm_unpackhi_epi8(digits, zero), weights(10)));
  const __m128i fours = _mm_madd_epi16(twos, weights(100));
  const __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), weights(10000));
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  return (both & 0xffffffffu) * powers_of_ten[8] + (both >> 32);
}

/// The same for at most 3 characters. Their number is random, so there is no branch on it.
inline std::uint64_t read_few_digits(const char* end, int count) noexcept {
  std::uint32_t digits;
  std::memcpy(&digits, end - 4, sizeof digits);
  const auto kept = static_cast<std::uint32_t>(std::uint64_t{0xffffffffu} << (32 - 8 * count));
  digits = (digits & kept) - (0x30303030u & kept);
  digits = 10 * digits + (digits >> 8);
  return (digits & 0xffu) * 100 + ((digits >> 16) & 0xffu);
}

/// digits 10^exponent, correctly rounded, without its sign. False if undecided: the value is, or may be, half way
/// between two numbers of type T, or T has no normal number for it. digits > 0.
///
/// The product of the digits with the upper half of 5^exponent is too small by less than 1 in its upper 64 bits, with
/// both halves by less than 2 in the 64 bits below; rounding is sure unless a half lies inside that interval. (As in
/// D. Lemire, Number parsing at a gigabyte per second, 2021, without its treatment of halves.)
template <class T, class Bits>
__attribute__((always_inline)) inline bool scale(std::uint64_t digits, int exponent, Bits& bits) noexcept {
  constexpr int precision = std::numeric_limits<T>::digits, bias = std::numeric_limits<T>::max_exponent - 1;
  if (exponent < -largest_power || exponent > largest_power) return false;
  const PowerOfFive& five = powers_of_five[static_cast<std::size_t>(largest_power + exponent)];
  const int zeros = __builtin_clzll(digits);
  const Uint128 product = Uint128{digits << zeros} * five.high;
  auto high = static_cast<std::uint64_t>(product >> 64);
  int dropped = 63 - precision + static_cast<int>(high >> 63);
  std::uint64_t half = std::uint64_t{1} << (dropped - 1), rest = high & (2 * half - 1);
  if (rest == half || rest == half - 1) {
    const auto carried = static_cast<std::uint64_t>((Uint128{digits << zeros} * five.low) >> 64);
    const std::uint64_t below = static_cast<std::uint64_t>(product) + carried;
    if (below >= ~std::uint64_t{1}) return false;
    high += below < carried;
    dropped = 63 - precision + static_cast<int>(high >> 63);
    half = std::uint64_t{1} << (dropped - 1);
    rest = high & (2 * half - 1);
    if (rest == half && below == 0) return false;
    rest |= below > 0;
  }
  // Rounding up may carry into the exponent, as it should: the first bit of the mantissa is the last of the exponent.
  const std::uint64_t mantissa = (high >> dropped) + (rest > half);
  const int biased = dropped + 64 + five.shift - zeros + exponent + precision - 1 + bias;
  if (biased < 1 || biased >= 2 * bias) return false;
  bits = static_cast<Bits>((static_cast<std::uint64_t>(biased - 1) << (precision - 1)) + mantissa);
  return true;
}

}  // namespace decimal

/// Reads the number that begins at `at`: [-]digits[.digits][e[+-]digits], at most 16 digits before the point, 19 in all
/// (zeros before the first other digit of a fraction do not count) and 31 characters, from about 1e-37 to 1e54. Returns
/// the same end and value as std::from_chars; null if it declines, which says nothing about the text. T is double or
/// float. Always inlined: calls would take a tenth of the time.
template <class T>
__attribute__((always_inline)) inline const char* read_decimal(const char* at, T& value) noexcept {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  using namespace decimal;
  const bool is_negative = *at == '-';
  std::uint32_t others = find_others(at) | find_others(at + 16) << 16;
  others &= ~static_cast<std::uint32_t>(is_negative);
  if (others == 0) return nullptr;
  int end = __builtin_ctz(others), count = end - is_negative, exponent = 0;
  if (count == 0 || count > 16) return nullptr;
  std::uint64_t digits = read_digits(at + end, count);
  if (at[end] == '.') {
    others &= others - 1;
    if (others == 0) return nullptr;
    const int begin = end + 1;
    end = __builtin_ctz(others);
    const int places = end - begin;
    count = digits == 0 ? places : count + places;
    if (places == 0 || count > 19) return nullptr;
    digits =
        digits * powers_of_ten[static_cast<std::size_t>(places)] + read_digits(at + end, places < 16 ? places : 16);
    digits += powers_of_ten[16] * read_few_digits(at + end - 16, places > 16 ? places - 16 : 0);
    exponent = -places;
  }
  at += end;
  if ((*at | 0x20) == 'e') {
    ++at;
    const bool is_down = *at == '-';
    at += is_down || *at == '+';
    const char* const begin = at;
    int power = 0;
    for (; *at >= '0' && *at <= '9' && at - begin < 4; ++at) power = 10 * power + (*at - '0');
    if (at == begin || at - begin == 4) return nullptr;
    exponent += is_down ? -power : power;
  }
  Bits bits = 0;
  if (digits != 0 && !decimal::scale<T>(digits, exponent, bits)) return nullptr;
  bits |= static_cast<Bits>(is_negative) << (8 * sizeof(T) - 1);
  std::memcpy(&value, &bits, sizeof value);
  return at;
}

#else

template <class T>
const char* read_decimal(const char*, T&) noexcept {
  return nullptr;
}

#endif

}  // namespace attn::io
