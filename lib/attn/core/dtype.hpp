#pragma once
// Element types. f64 and f32 compute; f16 and bf16 are storage; integers are ids, lengths and masks.

#include <attn/core/export.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace ATTN_API attn {

enum class DType : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean, string };

/// IEEE 754 half precision, as bits.
struct Float16 {
  std::uint16_t bits = 0;
};
/// bfloat16 (the upper half of a float), as bits.
struct BFloat16 {
  std::uint16_t bits = 0;
};
/// One byte, 0 or 1: what NumPy, HDF5 (as h5py writes it) and safetensors store for a boolean.
struct Boolean {
  std::uint8_t value = 0;
};

float to_float(Float16 x) noexcept;
float to_float(BFloat16 x) noexcept;
/// Rounded to nearest, ties to even; overflow gives infinity, NaN stays NaN.
Float16 to_float16(double x) noexcept;
BFloat16 to_bfloat16(double x) noexcept;

/// Bytes of one element in memory (a string is a std::string).
std::size_t element_size(DType dtype) noexcept;

/// "f32", "i64", "bool", "str" ...
std::string_view name_of(DType dtype) noexcept;

/// The dtype of that name (also "float32", "int64" ...); throws Error(usage) that lists the names.
DType dtype_from_name(std::string_view name);

bool is_floating(DType dtype) noexcept;
bool is_integer(DType dtype) noexcept;  ///< boolean included

/// The type that computes on a: f64 for f64 and wide integers, f32 for the narrower floats.
DType compute_dtype(DType dtype) noexcept;
/// The wider of two computing types.
DType wider(DType a, DType b) noexcept;

template <class T>
struct dtype_of;
// clang-format off
template <> struct dtype_of<double>        { static constexpr DType value = DType::f64; };
template <> struct dtype_of<float>         { static constexpr DType value = DType::f32; };
template <> struct dtype_of<Float16>       { static constexpr DType value = DType::f16; };
template <> struct dtype_of<BFloat16>      { static constexpr DType value = DType::bf16; };
template <> struct dtype_of<std::int64_t>  { static constexpr DType value = DType::i64; };
template <> struct dtype_of<std::int32_t>  { static constexpr DType value = DType::i32; };
template <> struct dtype_of<std::int16_t>  { static constexpr DType value = DType::i16; };
template <> struct dtype_of<std::int8_t>   { static constexpr DType value = DType::i8; };
template <> struct dtype_of<std::uint64_t> { static constexpr DType value = DType::u64; };
template <> struct dtype_of<std::uint32_t> { static constexpr DType value = DType::u32; };
template <> struct dtype_of<std::uint16_t> { static constexpr DType value = DType::u16; };
template <> struct dtype_of<std::uint8_t>  { static constexpr DType value = DType::u8; };
template <> struct dtype_of<Boolean>       { static constexpr DType value = DType::boolean; };
template <> struct dtype_of<std::string>   { static constexpr DType value = DType::string; };
// clang-format on
template <class T>
inline constexpr DType dtype_of_v = dtype_of<std::remove_const_t<T>>::value;

/// Calls visit(T{}) with the C++ type of dtype: the one switch over dtypes in the project.
template <class Visitor>
decltype(auto) visit_dtype(DType dtype, Visitor&& visit) {
  switch (dtype) {
    case DType::f64: return visit(double{});
    case DType::f32: return visit(float{});
    case DType::f16: return visit(Float16{});
    case DType::bf16: return visit(BFloat16{});
    case DType::i64: return visit(std::int64_t{});
    case DType::i32: return visit(std::int32_t{});
    case DType::i16: return visit(std::int16_t{});
    case DType::i8: return visit(std::int8_t{});
    case DType::u64: return visit(std::uint64_t{});
    case DType::u32: return visit(std::uint32_t{});
    case DType::u16: return visit(std::uint16_t{});
    case DType::u8: return visit(std::uint8_t{});
    case DType::boolean: return visit(Boolean{});
    case DType::string: break;
  }
  return visit(std::string{});
}

/// Calls visit(T{}) with float or double: what remains of visit_dtype after compute_dtype().
template <class Visitor>
decltype(auto) visit_compute_dtype(DType dtype, Visitor&& visit) {
  return dtype == DType::f32 ? visit(float{}) : visit(double{});
}

// Conversions of the 16-bit floats, without branches, so that loops over them vectorise. The functions above use these.

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
