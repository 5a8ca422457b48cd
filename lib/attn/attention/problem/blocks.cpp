#include <attn/attention/problem/blocks.hpp>

#include <attn/attention/engines/fused/engine.hpp>

namespace attn {

bool is_for_blocks(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                   const Execution& execution) {
  const auto is_number = [](const TensorView& x) { return x.dtype != DType::string; };
  return execution.engine == Engine::automatic && parameters.normalize != Normalize::hard && is_number(inputs.query) &&
         is_number(inputs.key) && is_number(inputs.value) && !request.weights && !request.keys &&
         request.stages.empty() && request.top == 0 && parameters.empty != EmptyRows::nearest;
}

std::size_t bytes_of_states(const AttentionSizes& n, DType dtype) {
  return n.batch * n.heads * n.queries * (n.value_width + 2) * element_size(compute_dtype(dtype));
}

std::size_t bytes_of_key(const AttentionSizes& n, DType dtype) {
  return n.batch * n.kv_heads * (n.key_width + n.value_width) * element_size(dtype);
}

AttendResult attend_in_blocks(const Call& call, const BlockSource& source, const Execution& execution) {
  AttentionProblem block = *call.problem;
  const std::size_t S = block.sizes.keys;
  const Execution quiet = execution.without_progress();
  const auto fold = [&](AttentionProblem& part, AttentionState& seen) {
    for (std::size_t first = 0; first < S;) {
      const std::size_t last = source.end(first);
      source.read(first, last, [&](const TensorView& key, const TensorView& value) {
        set_keys(part, key, value, first);
        call.engine.fold(part, seen, quiet);
      });
      if (execution.progress) execution.progress(last, S);
      first = last;
    }
  };
  CallOutputs memory(call);
  if (call.only_counts(execution)) {
    memory.clear();
    return memory.result(0, quiet);
  }
  AttentionState state = call.engine.start(block);
  fold(block, state);
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
