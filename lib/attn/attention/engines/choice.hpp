#pragma once
// Which engine computes a problem.

#include <attn/attention/engines/engine.hpp>

namespace attn {

/// The reference engine if it is asked for; else the one of the normaliser `hard` for it, and the fused one.
const AttentionEngine& engine_for(const AttentionProblem& problem, Engine choice);

}  // namespace attn
