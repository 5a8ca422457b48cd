#include "cli/statistics.hpp"

#include <charconv>
#include <cmath>
#include <type_traits>

namespace cli {
namespace {

/// Integers as they are, others as double.
template <class T>
auto comparable(const T& value) {
  if constexpr (std::is_same_v<T, attn::Float16> || std::is_same_v<T, attn::BFloat16>)
    return static_cast<double>(attn::to_float(value));
  else if constexpr (std::is_same_v<T, attn::Boolean>)
    return value.value;
  else if constexpr (std::is_integral_v<T>)
    return value;
  else
    return static_cast<double>(value);
}

template <class T>
Number number(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value;
  else
    return static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value);
}

/// Mean and sum of squared deviations by Welford's update (1962): one pass, no cancellation.
template <class T>
Statistics over(const T* data, std::size_t count) {
  Statistics s;
  s.count = count;
  decltype(comparable(*data)) least{}, most{};
  double squares = 0;
  std::size_t n = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = comparable(data[i]);
    const auto wide = static_cast<double>(value);
    if (std::isnan(wide)) {
      ++s.nans;
    } else if (std::isinf(wide)) {
      ++s.infinities;
    } else {
      if (n == 0 || value < least) least = value;
      if (n == 0 || value > most) most = value;
      const double away = wide - s.mean;
      s.mean += away / static_cast<double>(++n);
      squares += away * (wide - s.mean);
    }
  }
  s.least = number(least);
  s.most = number(most);
  if (n > 0) s.deviation = std::sqrt(squares / static_cast<double>(n));
  return s;
}

}  // namespace

Statistics statistics(const attn::TensorView& x) {
  const attn::TensorView whole = attn::contiguous(x);
  return attn::visit_dtype(x.dtype, [&](auto type) {
    using T = decltype(type);
    if constexpr (std::is_same_v<T, std::string>)
      return Statistics{};
    else
      return over(whole.contiguous_data<T>(), whole.size());
  });
}

std::string shortest(const attn::TensorView& x) {
  if (x.dtype == attn::DType::u64) return std::to_string(*static_cast<const std::uint64_t*>(x.data));
  if (attn::is_integer(x.dtype)) return std::to_string(attn::to_integers(x).front());
  char text[32];
  const double value = attn::to_scalar(x);
  const bool narrow = x.dtype != attn::DType::f64;
  const auto end = narrow ? std::to_chars(text, text + sizeof text, static_cast<float>(value))
                          : std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

std::string brief(const Number& value) {
  char text[32];
  char* const end = text + sizeof text;
  const auto put = [&](auto number) {
    if constexpr (std::is_integral_v<decltype(number)>)
      return std::to_chars(text, end, number).ptr;
    else
      return std::to_chars(text, end, number, std::chars_format::general, 6).ptr;
  };
  return std::string(text, std::visit(put, value));
}

std::string to_string(const Statistics& s) {
  std::string line;
  if (s.finite() > 0)
    line =
        "min " + brief(s.least) + ", max " + brief(s.most) + ", mean " + brief(s.mean) + ", sd " + brief(s.deviation);
  if (s.nans > 0) line += (line.empty() ? "" : ", ") + std::to_string(s.nans) + " nan";
  if (s.infinities > 0) line += (line.empty() ? "" : ", ") + std::to_string(s.infinities) + " inf";
  return line.empty() ? "no numbers" : line;
}

}  // namespace cli
