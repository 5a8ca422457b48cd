#include <attn/attention/engines/choice.hpp>
#include <attn/attention/engines/fused/engine.hpp>
#include <attn/attention/engines/hard.hpp>

namespace attn {

const AttentionEngine& engine_for(const AttentionProblem& problem, Engine choice) {
  if (choice == Engine::reference) return reference_engine;
  return problem.normalize == Normalize::hard ? hard_engine : fused_engine;
}

}  // namespace attn
