#pragma once
// The naive twin of the linear map.

#include <attn/core/activation.hpp>
#include <attn/core/strided.hpp>

namespace attn {

/// y[m] = act(sum_k x[m][k] w[n][k] + b[n]), summed over k in ascending order in f64.
///
/// x (rows, in), w (out, in), bias (out) or null, y (rows, out)
template <class T>
void linear_reference(Strided<const T, 2> x, Strided<const T, 2> w, const T* bias, Activation activation,
                      Strided<T, 2> y);

}  // namespace attn
