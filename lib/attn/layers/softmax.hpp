#pragma once
// Softmax along any axis of a tensor, with a mask.

#include <attn/attention/parameters.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <optional>

namespace ATTN_API attn {

struct SoftmaxParameters {
  std::int64_t axis = -1;  ///< negatives count from the end
  double temperature = 1;  ///< divisor of the scores, > 0; towards infinity all weights are equal
  bool log = false;        ///< log-probabilities; -inf for excluded scores
  MaskType mask_type = MaskType::automatic;
  bool mask_invert = false;  ///< boolean masks are true for excluded scores
};

/// The masks that exclude scores.
struct SoftmaxMasks {
  std::optional<TensorView> mask = {};        ///< boolean, 0 excludes, or added to the scores
  std::optional<TensorView> valid_lens = {};  ///< numbers of valid scores
};

///     p_j = exp(s_j / t - m) / sum_i exp(s_i / t - m)     over the j that the masks leave; p_j = 0 elsewhere
///
/// scores      any shape; sums in f64
/// mask        any shape that Mask takes for scores (B, H, L, S), (B, L, S), (B, S) or (S); else what broadcasts to the
///             scores; added after the temperature
/// valid_lens  (B), (B, L) or (B, H, L), the axes before that of the softmax
/// returns     the shape of the scores, their computing type; a row with nothing left is zeros (log: -inf)
/// throws      Error(data) when the masks do not fit the scores, Error(usage) for an axis that there is not and t <= 0
/// source      Bridle 1990; the maximum is subtracted so that nothing overflows
TensorView masked_softmax(const TensorView& scores, const SoftmaxMasks& masks, const SoftmaxParameters& parameters,
                          const Execution& execution = {});

/// Gradients of a loss by the scores and by what a mask of floats adds to them.
struct SoftmaxGradients {
  TensorView scores;
  std::optional<TensorView> mask;  ///< none for a boolean mask
};

/// The gradients for dy, that by masked_softmax(), in the computing type:
///
///     ds_j = p_j (dy_j - sum_i p_i dy_i) / t         log: ds_j = (dy_j - p_j sum_i dy_i) / t
///
/// The gradient by the mask is t ds, summed over the axes along which the mask is repeated. Excluded scores get 0, and
/// neither they nor their dy are read. Throws as masked_softmax() does, and Error(data) if dy has another shape.
SoftmaxGradients masked_softmax_vjp(const TensorView& scores, const SoftmaxMasks& masks,
                                    const SoftmaxParameters& parameters, const TensorView& dy,
                                    const Execution& execution = {});

}  // namespace attn
