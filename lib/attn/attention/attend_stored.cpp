#include <attn/attention/attend_stored.hpp>

#include <attn/attention/call.hpp>

#include <algorithm>

namespace attn {
namespace {

/// Rows [first, last) of a stored tensor of keys or values.
TensorView read_rows(const StoredTensor& stored, std::size_t first, std::size_t last) {
  const std::size_t rank = stored.info.shape.size();
  Slab part(std::max<std::size_t>(rank, 2) - 1);
  part.back().start = static_cast<std::int64_t>(first);
  part.back().stop = static_cast<std::int64_t>(last);
  return stored.source->read(stored.info.name, part);
}

/// A tensor of that shape and dtype that nobody looks into.
TensorView shape_only(const TensorView& x, DType dtype) {
  return {nullptr, dtype, x.shape, row_major_strides(x.shape), nullptr, x.name};
}

std::size_t bytes_of_key(const AttentionSizes& n, DType dtype) {
  // What is read may be held once more, converted.
  return 2 * n.batch * n.kv_heads * (n.key_width + n.value_width) * element_size(dtype);
}

std::size_t bytes_of_state(const AttentionSizes& n, DType dtype) {
  return n.batch * n.heads * n.queries * (n.value_width + 2) * element_size(compute_dtype(dtype));
}

}  // namespace

bool can_attend_stored(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                       const Execution& execution) {
  const auto is_number = [](const TensorView& x) { return x.dtype != DType::string; };
  const bool is_softmax =
      parameters.score != Score::kernel && parameters.normalize.value_or(Normalize::softmax) == Normalize::softmax;
  return execution.engine == Engine::automatic && is_softmax && !inputs.past_key && !inputs.past_value &&
         is_number(inputs.query) && is_number(inputs.key) && is_number(inputs.value) && !request.weights &&
         request.stages.empty() && request.top == 0 && parameters.empty != EmptyRows::nearest;
}

std::size_t memory_of_blocks(const AttentionSizes& sizes, DType dtype, std::size_t block_keys) {
  return bytes_of_key(sizes, dtype) * block_keys + bytes_of_state(sizes, dtype);
}

std::size_t block_keys_within(const AttentionSizes& sizes, DType dtype, std::size_t memory) {
  const std::size_t fixed = bytes_of_state(sizes, dtype), each = bytes_of_key(sizes, dtype);
  const std::size_t keys = memory > fixed && each > 0 ? (memory - fixed) / each : 0;
  return std::max(keys / fused_engine.key_block, std::size_t{1}) * fused_engine.key_block;
}

AttendResult attend_stored(const AttendInputs& inputs, const StoredDatabase& database,
                           const AttendParameters& parameters, const AttendRequest& request,
                           const Execution& execution) {
  const DType dtype = attention_dtype({inputs.query.dtype, inputs.key.dtype, inputs.value.dtype});
  AttendInputs virtual_inputs = inputs;
  virtual_inputs.key = shape_only(inputs.key, dtype);
  virtual_inputs.value = shape_only(inputs.value, dtype);
  const Call call(virtual_inputs, parameters, Engine::automatic);
  AttentionProblem block = *call.problem;
  AttentionState state = call.engine.start(block);
  const std::size_t S = block.sizes.keys;
  const Execution quiet = execution.without_progress();
  const auto fold = [&](AttentionProblem& part, AttentionState& seen) {
    const auto as_heads = [&](const TensorView& x) {
      const TensorView same = x.dtype == dtype ? x : cast(x, dtype);
      return to_heads(same.dtype == part.dtype ? same : cast(same, part.dtype), parameters.layout,
                      parameters.kv_heads ? parameters.kv_heads : parameters.heads);
    };
    for (std::size_t first = 0; first < S; first += database.block_keys) {
      const std::size_t last = std::min(first + database.block_keys, S);
      const TensorView key = read_rows(database.key, first, last), value = read_rows(database.value, first, last);
      set_keys(part, as_heads(key), as_heads(value), first);
      call.engine.fold(part, seen, quiet);
      database.key.source->release(key);
      database.value.source->release(value);
      if (execution.progress) execution.progress(last, S);
    }
  };
  fold(block, state);
  CallOutputs memory(call, request);
  AttentionOutputs places = memory.places();
  std::vector<QueryRow> beyond;
  places.beyond = &beyond;
  std::size_t empty_rows = call.engine.finish(*call.problem, state, places);
  if (!beyond.empty()) {
    AttentionProblem wide = widened(*call.problem);
    AttentionState again = call.engine.start(wide);
    fold(wide, again);
    empty_rows += finish_beyond(wide, again, beyond, places);
  }
  return memory.result(empty_rows, quiet);
}

}  // namespace attn
