#pragma once
// Conversion between values of a program and small tensors, for attributes.

#include <attn/core/source_sink.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// One value, shape ().
template <class T>
TensorView scalar_of(T value) {
  Tensor x(dtype_of_v<T>, {});
  *x.data_as<T>() = std::move(value);
  return x.view();
}
inline TensorView scalar_of(std::string_view text) { return scalar_of(std::string(text)); }
inline TensorView scalar_of(const char* text) { return scalar_of(std::string(text)); }

/// Several values, shape (n).
template <class T>
TensorView vector_of(const std::vector<T>& values) {
  Tensor x(dtype_of_v<T>, {values.size()});
  std::copy(values.begin(), values.end(), x.data_as<T>());
  return x.view();
}

/// All elements in row-major order, for any shape. Throws Error(defect) if they are no T.
template <class T>
std::vector<T> elements_of(const TensorView& x) {
  const TensorView row = contiguous(x);
  const T* first = row.contiguous_data<T>();
  return std::vector<T>(first, first + row.size());
}

/// The strings of the attribute of that name; none if it is missing or has numbers.
std::vector<std::string> texts_of(const Attributes& attributes, const std::string& name);

/// Nothing, NA, NaN or a dot, as in tables of statistics.
inline bool is_missing(std::string_view text) noexcept {
  return text.empty() || text == "NA" || text == "." || text == "NaN" || text == "nan";
}

}  // namespace attn
