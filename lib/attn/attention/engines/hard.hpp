#pragma once
// Attention as a database query: the value of the first best key.

#include <attn/attention/engines/engine.hpp>

namespace attn {

/// The normaliser `hard`, with every score and mask, from rows of weights.
extern const AttentionEngine hard_engine;

}  // namespace attn
