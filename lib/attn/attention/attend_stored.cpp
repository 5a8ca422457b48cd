#include <attn/attention/attend_stored.hpp>

#include <attn/attention/engines/fused/engine.hpp>
#include <attn/attention/problem/blocks.hpp>

#include <algorithm>

namespace attn {
namespace {

/// Rows [first, last) of a stored tensor of keys or values.
TensorView read_rows(const StoredTensor& stored, const AttendParameters& p, std::size_t first, std::size_t last) {
  Slab part(length_axis(stored.info.shape.size(), p.layout, p.heads) + 1);
  part.back().start = static_cast<std::int64_t>(first);
  part.back().stop = static_cast<std::int64_t>(last);
  return stored.source->read(stored.info.name, part);
}

}  // namespace

bool can_attend_stored(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                       const Execution& execution) {
  return !inputs.past_key && !inputs.past_value && is_for_blocks(inputs, parameters, request, execution);
}

std::size_t keys_within(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t memory) {
  const ProblemViews views = views_of(inputs, parameters);
  const AttentionSizes& n = views.sizes;
  // The state and the result of every query are in memory together; a block that is converted is held twice.
  const std::size_t beside = 2 * bytes_of_states(n, views.dtype);
  const std::size_t each = bytes_of_key(n, wider(inputs.key.dtype, inputs.value.dtype)) + bytes_of_key(n, views.dtype);
  const std::size_t keys = memory > beside && each > 0 ? (memory - beside) / each : 0, block = fused_engine.key_block;
  return keys >= n.keys || block >= n.keys ? 0 : std::max(keys / block, std::size_t{1}) * block;
}

AttendResult attend_stored(const AttendInputs& inputs, const StoredDatabase& database,
                           const AttendParameters& parameters, const AttendRequest& request,
                           const Execution& execution) {
  const Call call(inputs, parameters, request, problem_without_keys(views_of(inputs, parameters), inputs, parameters),
                  Engine::automatic);
  const std::size_t S = call.problem->sizes.keys;
  const auto end = [&](std::size_t first) { return std::min(first + database.block_keys, S); };
  const auto read = [&](std::size_t first, std::size_t last, const UseBlock& use) {
    const TensorView key = read_rows(database.key, parameters, first, last);
    const TensorView value = read_rows(database.value, parameters, first, last);
    use(key_view(key, parameters), key_view(value, parameters));
    database.key.source->release(key);
    database.value.source->release(value);
  };
  return attend_in_blocks(call, {end, read}, execution);
}

}  // namespace attn
