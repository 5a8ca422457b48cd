#pragma once
// A typed view of memory, for numeric code below the public interface.

#include <attn/core/api.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace ATTN_API attn {

/// N-dimensional strided view of T, owning nothing. Strides count elements.
///
///     x(i, j) == x.data[i * x.strides[0] + j * x.strides[1]]
template <class T, std::size_t N>
struct Strided {
  T* data = nullptr;
  std::array<std::size_t, N> shape{};
  std::array<std::ptrdiff_t, N> strides{};

  template <class... Index>
  T& operator()(Index... index) const noexcept {
    static_assert(sizeof...(Index) == N, "one index for each axis");
    std::size_t axis = 0;
    std::ptrdiff_t offset = 0;
    ((offset += static_cast<std::ptrdiff_t>(index) * strides[axis++]), ...);
    return data[offset];
  }

  /// The view of one index of the first axis: x[i](j, k) == x(i, j, k).
  Strided<T, N - 1> operator[](std::size_t i) const noexcept {
    static_assert(N > 0, "a scalar has no axis to index");
    Strided<T, N - 1> inner;
    inner.data = data + static_cast<std::ptrdiff_t>(i) * strides[0];
    for (std::size_t axis = 1; axis < N; ++axis) {
      inner.shape[axis - 1] = shape[axis];
      inner.strides[axis - 1] = strides[axis];
    }
    return inner;
  }

  operator Strided<const T, N>() const noexcept { return {data, shape, strides}; }
};

/// Row-major view of contiguous memory.
template <class T, std::size_t N>
Strided<T, N> strided(T* data, const std::array<std::size_t, N>& shape) noexcept {
  Strided<T, N> view{data, shape, {}};
  std::ptrdiff_t step = 1;
  for (std::size_t axis = N; axis-- > 0;) {
    view.strides[axis] = step;
    step *= static_cast<std::ptrdiff_t>(shape[axis]);
  }
  return view;
}

}  // namespace attn
