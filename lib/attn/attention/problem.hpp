#pragma once
// The interface to the engines: one attention with its views resolved to (batch, head, row, column) and its parameters
// made concrete. It is built from the caller's inputs here, and the engines compute it.

#include <attn/attention/mask.hpp>
#include <attn/attention/parameters.hpp>
#include <attn/attention/shapes.hpp>
#include <attn/core/execution.hpp>

#include <optional>
#include <vector>

namespace ATTN_API attn {

/// x under its own name, or under this one if it has none.
inline TensorView named(const TensorView& x, const char* name) { return x.name.empty() ? renamed(x, name) : x; }

/// x itself if it has that dtype, else converted.
inline TensorView stored_as(const TensorView& x, DType dtype) { return x.dtype == dtype ? x : cast(x, dtype); }

/// x (B or 1, ...) as x (batch, ...).
TensorView spread(TensorView x, std::size_t batch);

/// Keys or values, (B, H_kv, S, d), in their own dtypes, with or without a past.
struct GivenRows {
  std::optional<TensorView> past;  ///< past or present may have one batch for all
  TensorView present;

  std::size_t before() const { return past ? past->shape[2] : 0; }
  std::size_t count() const { return before() + present.shape[2]; }
  std::size_t batch() const { return past && past->shape[0] != 1 ? past->shape[0] : present.shape[0]; }
  /// Rows [first, last) of past and present: in place, or copied as `dtype` if they are from both.
  TensorView part(std::size_t first, std::size_t last, DType dtype) const;
};

/// The views of a problem.
struct ProblemViews {
  DType dtype;       ///< of the problem: the common floating type, else the widest computing type
  TensorView query;  ///< (B, H, L, d), of that dtype
  GivenRows key, value;
  AttentionSizes sizes;
};

/// All views, checked against each other: Error(data) names the tensor that does not fit and its shape as given. Only
/// shape and dtype of keys and values are used.
ProblemViews views_of(const AttendInputs& inputs, const AttendParameters& parameters);

/// Keys or values as (B, H_kv, S, d), in their own dtype.
TensorView key_view(const TensorView& x, const AttendParameters& parameters);

/// a(q, k) made concrete. The small tensors are f64 and contiguous.
struct ScoreRule {
  Score kind = Score::scaled_dot;
  double scale = 1;         ///< multiplies any score; includes 1/sqrt(d) for scaled-dot
  double softcap = 0;       ///< c of c tanh(s / c); 0: none
  TensorView bilinear;      ///< M (d_q, d_k)
  TensorView query_weight;  ///< additive: W_q (h, d_q)
  TensorView key_weight;    ///< additive: W_k (h, d_k)
  TensorView score_weight;  ///< additive: w_v (h)
  Kernel kernel = Kernel::gaussian;
  double bandwidth = 1;                ///< kernel: h if it is one for all coordinates; inverse_widths are 1 then
  bool is_root = false;                ///< gaussian: -|u| in place of -|u|^2 / 2, the logarithm of the Laplace kernel,
                                       ///< which scale multiplies
  std::vector<double> inverse_widths;  ///< gaussian and kernel: 1 / h for each coordinate (d)

  /// Is it a function of the distance between query and key?
  bool has_distance() const noexcept { return kind == Score::gaussian || kind == Score::kernel; }
};

/// One attention.
///
/// query (B, H, L, d_q), key (B, H_kv, S, d_k), value (B, H_kv, S, d_v): one dtype, f64 f32 f16 or bf16; the last axis
/// without gaps, the others with any stride, including 0 and negative ones (heads of a packed projection, a cache, a
/// mapped file).
///
/// A long key sequence may be given in blocks: key and value then contain the keys first_key .. first_key + S_block of
/// the S keys in sizes and mask.
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

/// Resolves and checks the caller's inputs. Throws Error(data) naming the tensor that does not fit, and Error(usage)
/// for parameters that exclude each other.
AttentionProblem make_problem(const AttendInputs& inputs, const AttendParameters& parameters);

/// The same from the result of views_of(), without keys and values, which set_keys() sets.
AttentionProblem problem_without_keys(const ProblemViews& views, const AttendInputs& inputs,
                                      const AttendParameters& parameters);

/// The same problem on f64, computed in f64.
AttentionProblem widened(const AttentionProblem& problem);

/// Sets all keys and values of the views.
void set_keys(AttentionProblem& problem, const ProblemViews& views);

/// Sets a block of keys and values, (B or 1, H_kv, block, d), in any dtype.
void set_keys(AttentionProblem& problem, const TensorView& key, const TensorView& value, std::size_t first_key);

/// Query i of head h in batch b.
struct QueryRow {
  std::size_t b = 0, h = 0, i = 0;
};

/// Is this mask boolean, or is it added to the scores? Throws Error(usage) for an additive mask that is inverted, and
/// Error(data) for floats that are all 0 or 1 without a given type: probably a boolean mask from a table of text.
bool is_boolean_mask(const TensorView& mask, MaskType type, bool inverted);

// Checks and resolves the caller's score, masks and numbers of each head, for make_problem() and other users of masks.

ScoreRule score_rule(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n);

/// All masks and biases of the inputs, for queries after `past` keys; biases are stored as `compute`.
Mask make_mask(const AttendInputs& in, const AttendParameters& p, const AttentionSizes& n, std::size_t past,
               DType compute);

/// The tensors that make_mask() adds to the scores, in the order of Mask::biases().
std::vector<std::optional<TensorView> AttendInputs::*> added_tensors(const AttendInputs& in, const AttendParameters& p);

/// The numbers of a tensor (H).
std::vector<double> per_head(const TensorView& given, const char* name, std::size_t heads);

/// Throws for options that change logits, because a kernel's value is a weight and not a logit.
void refuse_logit_options(const AttendInputs& in, const AttendParameters& p, const Mask& mask);

}  // namespace attn
