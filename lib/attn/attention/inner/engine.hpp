#pragma once
// What computes a problem: the interface of the engines, and which of them is used.

#include <attn/attention/problem.hpp>
#include <attn/attention/state.hpp>
#include <attn/core/execution.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace attn {

/// The memory for the results of an engine. Rows of queries that have no key left are written by problem.empty, their
/// lse as -inf.
struct AttentionOutputs {
  void* output = nullptr;                   ///< problem.compute elements, (B, H, L, d_v), last axis without gaps
  std::array<std::ptrdiff_t, 3> strides{};  ///< of b, h and i in elements
  void* lse = nullptr;                      ///< (B, H, L) contiguous, or null
};

/// A rectangle of one head's scores.
struct ScoreTile {
  std::size_t b = 0, h = 0;
  std::size_t first_query = 0, last_query = 0;
  KeyRange keys;  ///< numbered over the whole sequence, within the block that the problem holds
};

/// An engine: functions over the same problem. The caller chooses the engine (Execution::engine) and must not give it a
/// problem that it cannot compute.
///
/// attend      the whole problem; returns how many queries had no key left
/// fold        attends to the block of keys that the problem holds and adds it to the state; blocks come in order and
///             are whole leaves, so that fold ..., finish give the same bits as attend; null: the engine takes all keys
///             at once, and finish is null too
/// finish      what attend writes, from a state that has seen all keys
/// score_tile  out (queries, keys), contiguous, problem.compute elements: scores after scale and before softcap, masks
///             not applied. For weights, scores and top-k, streamed a few rows at a time; called from any thread.
struct AttentionEngine {
  std::size_t (*attend)(const AttentionProblem&, const AttentionOutputs&, const Execution&);
  void (*fold)(const AttentionProblem&, AttentionState&, const Execution&);
  std::size_t (*finish)(const AttentionProblem&, AttentionState, const AttentionOutputs&, Isa);
  void (*score_tile)(const AttentionProblem&, const ScoreTile&, void* out, Isa);
};

/// The formula in f64, by a module that is loaded for it; computes everything.
extern const AttentionEngine reference_engine;

/// Attention as a database query: the value of the first best key. The normaliser `hard`, with every score and mask,
/// from rows of weights.
extern const AttentionEngine hard_engine;

/// The reference engine if it is asked for; else the one of the normaliser `hard` for it, and the fused one.
const AttentionEngine& engine_for(const AttentionProblem& problem, Engine choice);

}  // namespace attn
