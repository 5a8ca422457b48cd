#pragma once
// Kernel regression on xtensors. Arguments, results and errors as api/array.hpp says.

#include <attn/api/array.hpp>
#include <attn/core/export.hpp>
#include <attn/regression/nadaraya_watson.hpp>

namespace ATTN_API attn {

///     fit(q) = sum_i w_i y_i / sum_i w_i,   w_i = K(|q - x_i| / h)
///
/// queries   (m) or (m, d)
/// x         the keys, (n) or (n, d)
/// y         the values, (n), or (n, C) with C outputs
/// smoother  kernel, bandwidth, degree of the local polynomial (0: the formula above) ...
/// returns   (m), or (m, C): the rank of y. A query without a key in reach gives what smoother.empty says
/// throws    Error(data) naming the tensor for shapes that do not fit and numbers that are not finite, Error(usage) for
///           a smoother that makes no sense
/// source    Nadaraya 1964; Watson 1964; Fan and Gijbels 1996 (local polynomials)
///
/// Computed in double. KernelRegression prepares the samples once and gives derivatives, standard errors and weights
/// too; select_bandwidth() and rule_of_thumb() choose the bandwidth.
template <std::size_t N = 0, class Q, class Y>
result_t<Y, N> nadaraya_watson(const Q& queries, const Array<element_t<Q>>& x, const Y& y,
                               const Smoother& smoother = {}, const Execution& execution = {}) {
  static_assert(std::is_same_v<element_t<Q>, element_t<Y>>, "all tensors of a call have one element type");
  const KernelRegression regression({x.named("x"), view_of(y, "y"), std::nullopt}, execution);
  const TensorView fit = regression.evaluate(view_of(queries, "queries"), smoother, {}, execution).fit;
  return to_xtensor<element_t<Y>, result_t<Y, N>::rank>(fit);
}

}  // namespace attn
