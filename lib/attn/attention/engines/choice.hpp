#pragma once
// Which engine computes a problem.

#include <attn/attention/engines/engine.hpp>

namespace attn {

/// The reference engine if it is asked for; else the fused one if it supports the problem, or the one without a
/// softmax.
const AttentionEngine& engine_for(const AttentionProblem& problem, Engine choice);

}  // namespace attn
