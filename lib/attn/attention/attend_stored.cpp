#include <attn/attention/attend_stored.hpp>

#include <attn/attention/problem/blocks.hpp>

#include <algorithm>

namespace attn {
bool can_attend_stored(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                       const Execution& execution) {
  return !inputs.past_key && !inputs.past_value && is_for_blocks(inputs, parameters, request, execution);
}

std::size_t keys_within(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t memory) {
  const ProblemViews views = views_of(inputs, parameters);
  const AttentionSizes& n = views.sizes;
  // The state and the result of every query are in memory together; a block that is converted is held twice.
  const std::size_t result =
      n.batch * n.heads * n.queries * (n.value_width + 1) * element_size(compute_dtype(views.dtype));
  const std::size_t beside = bytes_of_states(n) + result;
  const std::size_t each = bytes_of_key(n, wider(inputs.key.dtype, inputs.value.dtype)) + bytes_of_key(n, views.dtype);
  const std::size_t keys = memory > beside && each > 0 ? (memory - beside) / each : 0, block = leaf_keys;
  return keys >= n.keys || block >= n.keys ? 0 : std::max(keys / block, std::size_t{1}) * block;
}

AttendResult attend_stored(const AttendInputs& inputs, const StoredDatabase& database,
                           const AttendParameters& parameters, const AttendRequest& request,
                           const Execution& execution) {
  const Call call(inputs, parameters, request, problem_without_keys(views_of(inputs, parameters), inputs, parameters),
                  Engine::automatic);
  return attend_in_blocks(call, stored_blocks(database, parameters), execution);
}

}  // namespace attn
