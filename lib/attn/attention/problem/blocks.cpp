#include <attn/attention/problem/blocks.hpp>

#include <attn/attention/engines/node_stack.hpp>

#include <algorithm>

namespace attn {

bool is_for_blocks(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                   const Execution& execution) {
  const auto is_number = [](const TensorView& x) { return x.dtype != DType::string; };
  return execution.engine == Engine::automatic && parameters.normalize != Normalize::hard && is_number(inputs.query) &&
         is_number(inputs.key) && is_number(inputs.value) && !request.weights && !request.keys &&
         request.stages.empty() && request.top == 0 && parameters.empty != EmptyRows::nearest;
}

std::size_t bytes_of_states(const AttentionSizes& n) {
  const std::size_t nodes = most_places({}, 0, leaves_of(n.keys));
  return nodes * n.batch * n.heads * n.queries * (n.value_width + 2) * sizeof(double);
}

std::size_t bytes_of_key(const AttentionSizes& n, DType dtype) {
  return n.batch * n.kv_heads * (n.key_width + n.value_width) * element_size(dtype);
}

BlockSource stored_blocks(const StoredDatabase& database, const AttendParameters& p) {
  const auto rows = [&p](const StoredTensor& stored, std::size_t first, std::size_t last) {
    Slab part(length_axis(stored.info.shape.size(), p.layout, p.heads) + 1);
    part.back().start = static_cast<std::int64_t>(first);
    part.back().stop = static_cast<std::int64_t>(last);
    return stored.source->read(stored.info.name, part);
  };
  const auto read = [=, &database, &p](std::size_t first, std::size_t last, const UseBlock& use) {
    const TensorView key = rows(database.key, first, last), value = rows(database.value, first, last);
    use(key_view(key, p), key_view(value, p));
    database.key.source->release(key);
    database.value.source->release(value);
  };
  return {[&database](std::size_t first) { return first + database.block_keys; }, read};
}

AttentionState fold_blocks(const Call& call, const BlockSource& source, const KeyRange& keys,
                           const std::function<void(const AttentionProblem&)>& see, const Execution& execution) {
  AttentionProblem block = *call.problem;
  const Execution quiet = execution.without_progress();
  AttentionState state;
  for (std::size_t first = keys.first; first < keys.last;) {
    const std::size_t last = std::min(source.end(first), keys.last);
    source.read(first, last, [&](const TensorView& key, const TensorView& value) {
      set_keys(block, key, value, first);
      call.engine.fold(block, state, quiet);
      if (see) see(block);
    });
    if (execution.progress) execution.progress(last - keys.first, keys.last - keys.first);
    first = last;
  }
  return state;
}

AttendResult attend_in_blocks(const Call& call, const BlockSource& source, const Execution& execution) {
  const Execution quiet = execution.without_progress();
  CallOutputs memory(call);
  if (call.only_counts(execution)) {
    memory.clear();
    return memory.result(0, quiet);
  }
  AttentionState state = fold_blocks(call, source, {0, call.problem->sizes.keys}, nullptr, execution);
  return memory.result(call.engine.finish(*call.problem, std::move(state), memory.places(), execution.isa), quiet);
}

}  // namespace attn
