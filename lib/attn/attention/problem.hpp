#pragma once
// The border between "what is to be computed" and the engines: one attention with its views resolved to
// (batch, head, row, column) and its parameters made concrete. attend.cpp builds it from what the caller gave;
// the engines compute it.

#include <attn/attention/attend.hpp>
#include <attn/attention/mask.hpp>
#include <attn/attention/shapes.hpp>
#include <attn/attention/state.hpp>
#include <attn/attention/views.hpp>
#include <attn/core/execution.hpp>

#include <optional>
#include <vector>

namespace ATTN_API attn {

/// a(q, k) made concrete. The small tensors are f64 and contiguous.
struct ScoreRule {
  Score kind = Score::scaled_dot;
  double scale = 1;         ///< multiplies any score; 1/sqrt(d) already worked out for scaled-dot
  double softcap = 0;       ///< c of c tanh(s / c); 0: none
  TensorView bilinear;      ///< M (d_q, d_k)
  TensorView query_weight;  ///< additive: W_q (h, d_q)
  TensorView key_weight;    ///< additive: W_k (h, d_k)
  TensorView score_weight;  ///< additive: w_v (h)
  Kernel kernel = Kernel::gaussian;
  double bandwidth = 1;                ///< kernel: h where it is one for all coordinates, whose inverses are 1 then
  bool is_distance = false;            ///< gaussian: differences are squared, whatever they cost
  bool is_root = false;                ///< gaussian: -|u| in place of -|u|^2 / 2, the logarithm of the Laplace kernel,
                                       ///< which scale multiplies
  std::vector<double> inverse_widths;  ///< gaussian and kernel: 1 / h for each coordinate (d)
};

/// One attention.
///
/// query (B, H, L, d_q), key (B, H_kv, S, d_k), value (B, H_kv, S, d_v): one dtype, f64 f32 f16 or bf16; the last axis
/// without gaps, the others with any stride, 0 and negative too (heads of a packed projection, a cache, a mapped file).
///
/// A long key sequence may be given in blocks: key and value then hold the keys first_key .. first_key + S_block of the
/// S that sizes and mask speak of.
struct AttentionProblem {
  AttentionSizes sizes;
  DType dtype = DType::f64;    ///< of query, key and value
  DType compute = DType::f64;  ///< f64 for f64, else f32: the type of outputs and states
  TensorView query, key, value;
  std::size_t first_key = 0;

  ScoreRule score;
  Normalize normalize = Normalize::softmax;
  Mask mask;
  std::vector<double> sinks;  ///< (H), one logit a head that joins the denominator; empty: none
  EmptyRows empty = EmptyRows::zero;

  std::size_t block_keys() const noexcept { return key.shape[2]; }
  std::size_t kv_head(std::size_t h) const noexcept { return h / (sizes.heads / sizes.kv_heads); }
};

/// What the caller gave, resolved and checked. Throws Error(data) naming the tensor that does not fit, and Error(usage)
/// for parameters that exclude each other.
AttentionProblem make_problem(const AttendInputs& inputs, const AttendParameters& parameters);

/// The same of views_of() these, without keys and values, which set_keys() gives it.
AttentionProblem problem_without_keys(const ProblemViews& views, const AttendInputs& inputs,
                                      const AttendParameters& parameters);

/// The same problem on f64, computed in f64.
AttentionProblem widened(const AttentionProblem& problem);

/// Lets the problem hold all keys and values of its views.
void set_keys(AttentionProblem& problem, const ProblemViews& views);

/// Or a block of them, (B or 1, H_kv, block, d), in any dtype.
void set_keys(AttentionProblem& problem, const TensorView& key, const TensorView& value, std::size_t first_key);

/// Query i of head h in batch b.
struct QueryRow {
  std::size_t b = 0, h = 0, i = 0;
};

/// Where the results of an engine go. Rows whose query has no key left are written as problem.empty says, lse as -inf.
struct AttentionOutputs {
  void* output = nullptr;                   ///< problem.compute elements, (B, H, L, d_v), last axis without gaps
  std::array<std::ptrdiff_t, 3> strides{};  ///< of b, h and i in elements
  void* lse = nullptr;                      ///< (B, H, L) contiguous, or null
  /// finish: where rows are noted that it left to be done in f64, as numbers went beyond the range of f32; null: none
  std::vector<QueryRow>* beyond = nullptr;
};

/// Is this mask boolean, or is it added to the scores? Throws Error(usage) for one that is added and inverted,
/// Error(data) for floats of nothing but 0 and 1 whose type was not said: a boolean mask that went through a text
/// table.
bool is_boolean_mask(const TensorView& mask, MaskType type, bool inverted);

/// A rectangle of one head's scores.
struct ScoreTile {
  std::size_t b = 0, h = 0;
  std::size_t first_query = 0, last_query = 0;
  KeyRange keys;  ///< numbered over the whole sequence, within the block that the problem holds
};

/// An engine: functions over the same problem. Which one runs is the caller's choice (Execution::engine); what an
/// engine cannot do it must not be given.
///
/// attend      the whole problem; returns how many queries had no key left
/// start       the state of no keys, in the dtype that the problem is computed in
/// fold        attends to the block of keys that the problem holds and adds it to the state; blocks come in order and
///             begin at multiples of key_block, and then start, fold ..., finish give the same bits as attend;
///             key_block = 0: the engine takes all keys at once and has none of the three
/// finish      what attend writes, from a state that has seen all keys
/// score_tile  out (queries, keys), contiguous, problem.compute elements: scores after scale and before softcap, masks
///             not applied. For weights, scores and top-k, streamed a few rows at a time; called from any thread.
struct AttentionEngine {
  std::size_t key_block;
  std::size_t (*attend)(const AttentionProblem&, const AttentionOutputs&, const Execution&);
  AttentionState (*start)(const AttentionProblem&);
  void (*fold)(const AttentionProblem&, AttentionState&, const Execution&);
  std::size_t (*finish)(const AttentionProblem&, const AttentionState&, const AttentionOutputs&);
  void (*score_tile)(const AttentionProblem&, const ScoreTile&, void* out, Isa);
};

/// Plain loops in f64 that read like the formula; computes everything.
extern const AttentionEngine reference_engine;

}  // namespace attn
