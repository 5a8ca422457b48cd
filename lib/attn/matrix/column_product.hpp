#pragma once
// Products of columns: the gradients of weights.

#include <attn/core/execution.hpp>
#include <attn/core/shape.hpp>

namespace attn {

/// y (m, n) = a^T b for a (rows, m) and b (rows, n), whose columns are contiguous, as are those of y. Element (i, j) is
/// the sum over blocks of 256 rows, in order, of chains of multiply-adds: its bits are a function of column i of a and
/// column j of b, for any number of threads. Throws Error(defect) if shapes do not fit.
template <class T>
void multiply_columns(Strided<const T, 2> a, Strided<const T, 2> b, Strided<T, 2> y, const Execution& execution);

}  // namespace attn
