#include <attn/api/layers.hpp>

#include <attn/core/export.hpp>

namespace attn::detail {

TensorView norm(const TensorView& x, const NormParameters& parameters, const std::optional<TensorView>& gain,
                const std::optional<TensorView>& bias, const Execution& execution) {
  if (gain) return Norm(parameters, *gain, bias, x.dtype)(x, execution);
  if (bias) throw Error(ErrorKind::usage, "bias", "needs a gain");
  return Norm(parameters, 1, x.dtype)(x, execution);
}

}  // namespace attn::detail
