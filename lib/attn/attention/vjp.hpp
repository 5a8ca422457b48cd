#pragma once
// The gradient of attention pooling: the vector-Jacobian product of attend().

#include <attn/attention/parameters.hpp>
#include <attn/core/execution.hpp>

namespace ATTN_API attn {

/// The gradients of some loss by the results of attend(), in the shapes of these results.
struct AttendCotangents {
  TensorView output;
  std::optional<TensorView> weights = {}, lse = {};
};

/// The results of attend(), in their shapes.
struct AttendForward {
  TensorView output, lse;
};

/// The gradients of the loss by what went in.
struct AttendGradients {
  AttendInputs inputs;                  ///< each in the place and shape of its tensor, in the type of the computation
  std::optional<TensorView> bandwidth;  ///< of gaussian and kernel: (1), or (d) if there is one for each coordinate
};

/// The vector-Jacobian product of attend(): from dy = dl/dy of some loss l to dl/dx for each tensor x that went in.
///
///     ds_ij = w_ij (dy_i.v_j - dy_i.y_i),   dv_j = sum_i w_ij dy_i,
///     dq_i = sum_j ds_ij da(q_i, k_j)/dq_i,   dk_j = sum_i ds_ij da(q_i, k_j)/dk_j     under softmax
///
/// Forward is computed again, unless it is given and was computed in the type of the query. Query, key, value, past,
/// additive masks, bias, sinks, the bandwidth and the tensors of a learned score have gradients; boolean masks,
/// lengths, ALiBi slopes, scale and softcap have none. A tensor that broadcasts has the sum over the axes along which
/// it broadcasts. What a mask excludes has the gradient 0, even if it is NaN; so has a query without keys. `hard` and
/// `uniform` have no gradient by the scores. The sums have a fixed order, so that the bits do not depend on the number
/// of threads. Throws as attend(), and Error(data) for cotangents of other shapes. Source: Dao et al. 2022, appendix
/// B.2.
AttendGradients attend_vjp(const AttendInputs& inputs, const AttendParameters& parameters,
                           const AttendCotangents& cotangents, const Execution& execution = {},
                           const std::optional<AttendForward>& forward = std::nullopt);

}  // namespace attn
