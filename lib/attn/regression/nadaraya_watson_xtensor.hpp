#pragma once
// Kernel regression for xtensor: thin on top of nadaraya_watson.hpp.

#include <attn/regression/nadaraya_watson.hpp>

#include <xtensor/xtensor_forward.hpp>

namespace ATTN_API attn {

/// fit(q) for keys x, values y and queries q, computed in f64.
///
/// x (n) or (n, d), y (n), q (m) or (m, d); returns (m). T is float or double.
/// throws what KernelRegression throws
template <class T>
xt::xtensor<T, 1> kernel_regression(const xt::xtensor<T, 1>& x, const xt::xtensor<T, 1>& y, const xt::xtensor<T, 1>& q,
                                    const Smoother& smoother, const Execution& execution = {});
template <class T>
xt::xtensor<T, 1> kernel_regression(const xt::xtensor<T, 2>& x, const xt::xtensor<T, 1>& y, const xt::xtensor<T, 2>& q,
                                    const Smoother& smoother, const Execution& execution = {});

}  // namespace attn
