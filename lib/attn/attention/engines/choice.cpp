#include <attn/attention/engines/choice.hpp>
#include <attn/attention/engines/fused/engine.hpp>
#include <attn/attention/engines/weighted.hpp>

namespace attn {

const AttentionEngine& engine_for(const AttentionProblem& problem, Engine choice) {
  if (choice == Engine::reference) return reference_engine;
  return fused_supports(problem) ? fused_engine : weighted_engine;
}

}  // namespace attn
