#include <attn/attention/attend_stored.hpp>

#include <attn/attention/attend_blocks.hpp>
#include <attn/attention/problem_views.hpp>

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

std::size_t memory_of_blocks(const AttentionSizes& sizes, DType dtype, std::size_t block_keys) {
  // What is read may be held once more, converted.
  return 2 * bytes_of_key(sizes, dtype) * block_keys + bytes_of_states(sizes, dtype);
}

std::size_t block_keys_within(const AttentionSizes& sizes, DType dtype, std::size_t memory) {
  const std::size_t fixed = memory_of_blocks(sizes, dtype, 0), each = memory_of_blocks(sizes, dtype, 1) - fixed;
  const std::size_t keys = memory > fixed && each > 0 ? (memory - fixed) / each : 0;
  return std::max(keys / fused_engine.key_block, std::size_t{1}) * fused_engine.key_block;
}

AttendResult attend_stored(const AttendInputs& inputs, const StoredDatabase& database,
                           const AttendParameters& parameters, const AttendRequest& request,
                           const Execution& execution) {
  const Call call(problem_without_keys(inputs, parameters), inputs, parameters, request, Engine::automatic);
  const std::size_t S = call.problem->sizes.keys;
  const auto end = [&](std::size_t first) { return std::min(first + database.block_keys, S); };
  const auto read = [&](std::size_t first, std::size_t last, const UseBlock& use) {
    const TensorView key = read_rows(database.key, parameters, first, last);
    const TensorView value = read_rows(database.value, parameters, first, last);
    use(key_view(key, parameters), key_view(value, parameters));
    database.key.source->release(key);
    database.value.source->release(value);
  };
  return attend_in_blocks(call, {end, read}, request, execution);
}

}  // namespace attn
