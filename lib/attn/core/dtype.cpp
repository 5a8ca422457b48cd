#include <attn/core/dtype.hpp>
#include <attn/core/error.hpp>

namespace attn {
namespace {

struct DTypeName {
  DType dtype;
  std::string_view name, long_name;
};
constexpr DTypeName dtype_names[] = {
    {DType::f64, "f64", "float64"},      {DType::f32, "f32", "float32"},   {DType::f16, "f16", "float16"},
    {DType::bf16, "bf16", "bfloat16"},   {DType::i64, "i64", "int64"},     {DType::i32, "i32", "int32"},
    {DType::i16, "i16", "int16"},        {DType::i8, "i8", "int8"},        {DType::u64, "u64", "uint64"},
    {DType::u32, "u32", "uint32"},       {DType::u16, "u16", "uint16"},    {DType::u8, "u8", "uint8"},
    {DType::boolean, "bool", "boolean"}, {DType::string, "str", "string"},
};

}  // namespace

float to_float(Float16 x) noexcept { return detail::widened(x); }
float to_float(BFloat16 x) noexcept { return detail::widened(x); }
Float16 to_float16(double x) noexcept { return detail::nearest_float16(detail::to_odd(x)); }
BFloat16 to_bfloat16(double x) noexcept { return detail::nearest_bfloat16(detail::to_odd(x)); }

std::size_t element_size(DType dtype) noexcept {
  return visit_dtype(dtype, [](auto element) { return sizeof(element); });
}

std::string_view name_of(DType dtype) noexcept {
  for (const DTypeName& entry : dtype_names)
    if (entry.dtype == dtype) return entry.name;
  return "?";
}

DType dtype_from_name(std::string_view name) {
  for (const DTypeName& entry : dtype_names)
    if (entry.name == name || entry.long_name == name) return entry.dtype;
  throw Error(ErrorKind::usage, "dtype '" + std::string(name) + "'", "is not known",
              "known are " + listed(dtype_names, ", ", [](const DTypeName& entry) { return entry.name; }));
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
