#pragma once
// Conversions of the 16-bit floats, without branches, so that loops over them vectorise. dtype.hpp offers the public
// functions, which use these.

#include <attn/core/dtype.hpp>

#include <cstring>

namespace ATTN_API attn {
namespace detail {

inline float float_from_bits(std::uint32_t bits) noexcept {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline std::uint32_t bits_of(float value) noexcept {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// x as a float that rounds to the same 16 bits as x itself: truncated, with the last bit set if the result is inexact
/// (round to odd). Rounding to the nearest float first would round values next to a tie twice.
inline float to_odd(double x) noexcept {
  const float nearest = static_cast<float>(x);
  const double back = static_cast<double>(nearest);
  const bool is_above = (back > x) == (x > 0) && back != x;
  const bool is_inexact = back != x && x == x;
  return float_from_bits((bits_of(nearest) - (is_above && is_inexact ? 1u : 0u)) | (is_inexact ? 1u : 0u));
}

inline float widened(BFloat16 x) noexcept { return float_from_bits(static_cast<std::uint32_t>(x.bits) << 16); }

/// Exponent and fraction are moved to their places; a product with 2^112 makes the exponent right, also of subnormal
/// numbers.
inline float widened(Float16 x) noexcept {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(x.bits & 0x7fff) << 13;
  const std::uint32_t finite = bits_of(float_from_bits(magnitude) * 0x1p112f);
  const std::uint32_t top = x.bits & 0x7c00;  // infinity and NaN
  const std::uint32_t sign = static_cast<std::uint32_t>(x.bits & 0x8000) << 16;
  return float_from_bits(sign | (top == 0x7c00 ? magnitude | 0x7f800000u : finite));
}

/// Rounded to nearest, ties to even; overflow gives infinity, NaN stays NaN.
inline BFloat16 nearest_bfloat16(float x) noexcept {
  const std::uint32_t bits = bits_of(x);
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return {static_cast<std::uint16_t>(is_nan ? ((bits >> 16) & 0x8000u) | 0x7fc0u : rounded)};
}

inline Float16 nearest_float16(float x) noexcept {
  const std::uint32_t bits = bits_of(x), magnitude = bits & 0x7fffffffu;
  const std::uint32_t normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  // One half has the last place of subnormal numbers: the sum rounds to it.
  const std::uint32_t subnormal = bits_of(float_from_bits(magnitude) + 0.5f) - 0x3f000000u;
  const std::uint32_t finite = magnitude < 0x38800000u ? subnormal : normal;  // 2^-14
  const std::uint32_t above = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
  const std::uint32_t value = magnitude >= 0x477ff000u ? above : finite;  // 65520
  return {static_cast<std::uint16_t>(((bits >> 16) & 0x8000u) | value)};
}

}  // namespace detail
}  // namespace attn
