#include <attn/api/attention.hpp>

#include <attn/core/export.hpp>

namespace attn::detail {

TensorView weights_of(AttendInputs inputs, const AttendParameters& parameters, const Execution& execution) {
  // Values of no width: nothing is pooled.
  inputs.value = inputs.key;
  if (!inputs.value.shape.empty()) inputs.value.shape.back() = 0;
  AttendRequest request;
  request.weights = true;
  return *attend(inputs, parameters, request, execution).weights;
}

}  // namespace attn::detail
