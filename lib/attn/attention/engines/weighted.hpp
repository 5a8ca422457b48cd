#pragma once
// Attention without a softmax, tile by tile: weights that need no running maximum.
//
//     sum, none   w_j = s_j, K_j or exp(s_j); pooled as they come, under `sum` divided by their total at the end
//     uniform     w_j = 1, divided by the number of keys
//     hard        the first best score so far; its value at the end
//
// Scores come from the fused engine's tiles; keys are cut into blocks of 512, each pooled by itself and added, so that
// the bits of a row depend only on the row, its keys and the instruction set.

#include <attn/attention/engines/engine.hpp>

namespace attn {

/// Every normaliser except softmax, every score, smoothing kernels and masks.
extern const AttentionEngine weighted_engine;

}  // namespace attn
