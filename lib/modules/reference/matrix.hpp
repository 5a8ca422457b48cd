#pragma once
// What the pages of the reference engine write their formulas in.

#include <algorithm>

#include <xtensor-blas/xlinalg.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <attn/core/infinity.hpp>

extern "C" void openblas_set_num_threads(int);

namespace attn::reference {

/// The caller's threads are all there are.
inline const bool is_single_threaded = (openblas_set_num_threads(1), true);

using Matrix = xt::xtensor<double, 2>;
using Booleans = xt::xtensor<bool, 2>;

template <class T>
xt::xtensor<T, 2> matrix(const T* data, std::size_t rows, std::size_t columns) {
  return xt::adapt(data, rows * columns, xt::no_ownership(), std::array<std::size_t, 2>{rows, columns});
}

/// a b^T for b (rows, a.shape(1)); BLAS takes no matrix without elements.
inline Matrix product(const Matrix& a, const double* b, std::size_t rows) {
  if (a.size() == 0 || rows == 0) return xt::zeros<double>({a.shape(0), rows});
  // b^T is b by columns; xt::transpose would be copied, element by element.
  return xt::linalg::dot(a, xt::adapt<xt::layout_type::column_major>(b, rows * a.shape(1), xt::no_ownership(),
                                                                     std::array<std::size_t, 2>{a.shape(1), rows}));
}
inline Matrix product(const Matrix& a, const Matrix& b) { return product(a, b.data(), b.shape(0)); }
inline Matrix transpose(const Matrix& a) { return xt::transpose(a); }

/// A sum or maximum for each row, as a column.
template <class E>
auto sum_of(E&& x) {
  return xt::sum(std::forward<E>(x), {1}, xt::keep_dims | xt::evaluation_strategy::immediate);
}
inline Matrix largest_of(const Matrix& x) {
  if (x.shape(1) == 0) return xt::full_like(Matrix({x.shape(0), 1}), -infinity);
  return xt::amax(x, {1}, xt::keep_dims);
}

/// Row by row, and true, for the caller to return.
template <class E>
bool write(const E& values, double* out) {
  const auto& evaluated = xt::eval(values);
  std::copy(evaluated.begin(), evaluated.end(), out);
  return true;
}

}  // namespace attn::reference
