#include <attn/core/dtype.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace attn {
namespace {

struct Name {
  DType dtype;
  std::string_view name, long_name;
};
constexpr Name names[] = {
    {DType::f64, "f64", "float64"},      {DType::f32, "f32", "float32"},   {DType::f16, "f16", "float16"},
    {DType::bf16, "bf16", "bfloat16"},   {DType::i64, "i64", "int64"},     {DType::i32, "i32", "int32"},
    {DType::i16, "i16", "int16"},        {DType::i8, "i8", "int8"},        {DType::u64, "u64", "uint64"},
    {DType::u32, "u32", "uint32"},       {DType::u16, "u16", "uint16"},    {DType::u8, "u8", "uint8"},
    {DType::boolean, "bool", "boolean"}, {DType::string, "str", "string"},
};

float float_from_bits(std::uint32_t bits) noexcept {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// x rounded to a binary float with `mantissa` stored bits and the given exponent range, as the bits of that format.
/// From double in one step: by way of float, values near a tie would be rounded twice.
std::uint16_t round_to_bits(double x, int mantissa, int min_exponent, int max_exponent) noexcept {
  const int exponent_bits = 15 - mantissa;
  const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const auto infinity = static_cast<std::uint16_t>(((1u << exponent_bits) - 1) << mantissa);
  if (std::isnan(x)) return static_cast<std::uint16_t>(sign | infinity | (1u << (mantissa - 1)));
  const double magnitude = std::fabs(x);
  if (std::isinf(x)) return static_cast<std::uint16_t>(sign | infinity);
  if (magnitude == 0) return sign;
  int exponent = std::max(std::ilogb(magnitude), min_exponent);
  // One unit in the last place at this exponent is 2^(exponent - mantissa); nearbyint rounds ties to even.
  double units = std::nearbyint(std::ldexp(magnitude, mantissa - exponent));
  if (units >= std::ldexp(1.0, mantissa + 1)) {
    units /= 2;
    ++exponent;
  }
  if (exponent > max_exponent) return static_cast<std::uint16_t>(sign | infinity);
  const auto whole = static_cast<std::uint32_t>(units);
  const bool subnormal = whole < (1u << mantissa);
  const std::uint32_t biased = subnormal ? 0u : static_cast<std::uint32_t>(exponent - min_exponent + 1);
  return static_cast<std::uint16_t>(sign | (biased << mantissa) | (whole & ((1u << mantissa) - 1)));
}

}  // namespace

float to_float(BFloat16 x) noexcept { return float_from_bits(static_cast<std::uint32_t>(x.bits) << 16); }

float to_float(Float16 x) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(x.bits & 0x8000) << 16;
  const std::uint32_t exponent = (x.bits >> 10) & 0x1f;
  const std::uint32_t mantissa = x.bits & 0x3ff;
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  if (exponent == 31) return float_from_bits(sign | 0x7f800000u | (mantissa << 13));
  return float_from_bits(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

Float16 to_float16(double x) noexcept { return {round_to_bits(x, 10, -14, 15)}; }
BFloat16 to_bfloat16(double x) noexcept { return {round_to_bits(x, 7, -126, 127)}; }

std::size_t element_size(DType dtype) noexcept {
  return visit_dtype(dtype, [](auto element) { return sizeof(element); });
}

std::string_view name_of(DType dtype) noexcept {
  for (const Name& entry : names)
    if (entry.dtype == dtype) return entry.name;
  return "?";
}

DType dtype_from_name(std::string_view name) {
  std::string known;
  for (const Name& entry : names) {
    if (entry.name == name || entry.long_name == name) return entry.dtype;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error(ErrorKind::usage, "dtype '" + std::string(name) + "'", "is not known", "known are " + known);
}

bool is_floating(DType dtype) noexcept {
  return dtype == DType::f64 || dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

bool is_integer(DType dtype) noexcept { return !is_floating(dtype) && dtype != DType::string; }

DType compute_dtype(DType dtype) noexcept {
  return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : DType::f64;
}

DType wider(DType a, DType b) noexcept {
  return compute_dtype(a) == DType::f64 || compute_dtype(b) == DType::f64 ? DType::f64 : DType::f32;
}

}  // namespace attn
