#pragma once
// Values of a program's own as small tensors, and back: what attributes are made of.

#include <attn/core/stream.hpp>

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

/// Values in a row, shape (n).
template <class T>
TensorView vector_of(const std::vector<T>& values) {
  Tensor x(dtype_of_v<T>, {values.size()});
  std::copy(values.begin(), values.end(), x.data_as<T>());
  return x.view();
}

/// All elements in a row, whatever the shape. Throws Error(defect) where they are no T.
template <class T>
std::vector<T> elements_of(const TensorView& x) {
  const TensorView row = contiguous(x);
  const T* first = row.contiguous_data<T>();
  return std::vector<T>(first, first + row.size());
}

/// The strings of the attribute of that name in a row; none where there is no such attribute, or one of numbers.
std::vector<std::string> texts_of(const Attributes& attributes, const std::string& name);

}  // namespace attn
