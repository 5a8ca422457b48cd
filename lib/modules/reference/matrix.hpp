#pragma once
// What the pages of the reference engine write their formulas in.

#include <algorithm>

#include <xtensor-blas/xlinalg.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>

#include <attn/core/constants.hpp>
#include "arrays.hpp"

extern "C" void openblas_set_num_threads(int);

namespace attn::reference {

/// The caller's threads are all there are.
inline const bool is_single_threaded = (openblas_set_num_threads(1), true);

using Matrix = Array<double, 2>;
using Booleans = Array<bool, 2>;

template <class T>
Array<T, 2> matrix(const T* data, std::size_t rows, std::size_t columns) {
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
template <class T>
Array<T, 2> transpose(Array<T, 2> a) {
  return xt::transpose(a);
}

/// From the first row or column to the one before the end.
template <class T>
Array<T, 2> rows(const Array<T, 2>& x, std::size_t first, std::size_t end) {
  return xt::view(x, xt::range(first, end), xt::all());
}
template <class T>
Array<T, 2> columns(const Array<T, 2>& x, std::size_t first, std::size_t end) {
  return xt::view(x, xt::all(), xt::range(first, end));
}

/// One axis more, of extent 1.
template <class T, std::size_t N>
Array<T, N + 1> expand_dims(Array<T, N> x, std::size_t axis) {
  return xt::expand_dims(x, axis);
}
/// One axis less.
template <class T, std::size_t N>
Array<T, N - 1> sum_over(const Array<T, N>& x, std::size_t axis) {
  return xt::sum(x, {axis});
}

/// A sum or maximum for each row, as a column.
inline Matrix sum_of(const Matrix& x) { return expand_dims(sum_over(x, 1), 1); }
inline Matrix largest_of(const Matrix& x) {
  if (x.shape(1) == 0) return xt::full_like(Matrix({x.shape(0), 1}), -infinity);
  return xt::amax(x, {1}, xt::keep_dims);
}

/// Row by row, and true, for the caller to return.
template <class T, std::size_t N>
bool write(const Array<T, N>& values, double* out) {
  std::copy(values.begin(), values.end(), out);
  return true;
}

}  // namespace attn::reference
