#pragma once
// What tests of the fused engine have in common: runs of an engine, and the sizes that its errors are relative to.

#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"

#include <attn/attention/fused/engine.hpp>

#include <cmath>

namespace support {

struct Result {
  attn::Tensor output, lse;
  std::size_t empty_rows = 0;
};

inline Result run(const attn::AttentionEngine& engine, const attn::AttentionProblem& problem,
                  const attn::Execution& execution) {
  const attn::AttentionSizes& n = problem.sizes;
  Result result{attn::Tensor(problem.compute, {n.batch, n.heads, n.queries, n.value_width}),
                attn::Tensor(problem.compute, {n.batch, n.heads, n.queries})};
  const auto H = static_cast<std::ptrdiff_t>(n.heads), L = static_cast<std::ptrdiff_t>(n.queries),
             d_v = static_cast<std::ptrdiff_t>(n.value_width);
  const attn::AttentionOutputs outputs{result.output.data(), {H * L * d_v, L * d_v, d_v}, result.lse.data()};
  result.empty_rows = engine.attend(problem, outputs, execution);
  return result;
}

inline attn::TensorView in_f64(const attn::TensorView& x) { return attn::cast(x, attn::DType::f64); }
inline std::optional<attn::TensorView> in_f64(const std::optional<attn::TensorView>& x) {
  if (!x || !attn::is_floating(x->dtype)) return x;
  return attn::cast(*x, attn::DType::f64);
}
inline attn::AttendInputs in_f64(const attn::AttendInputs& in) {
  attn::AttendInputs out = in;
  out.query = in_f64(in.query);
  out.key = in_f64(in.key);
  out.value = in_f64(in.value);
  for (auto part : {&attn::AttendInputs::mask, &attn::AttendInputs::bias, &attn::AttendInputs::alibi_slopes,
                    &attn::AttendInputs::sinks, &attn::AttendInputs::bilinear, &attn::AttendInputs::query_weight,
                    &attn::AttendInputs::key_weight, &attn::AttendInputs::score_weight})
    out.*part = in_f64(in.*part);
  return out;
}

/// Largest possible score: what errors of scores are relative to.
inline double score_scale(const attn::AttentionProblem& problem) {
  const double q = scale_of(problem.query), k = scale_of(problem.key), d = static_cast<double>(problem.sizes.key_width);
  switch (problem.score.kind) {
    case attn::Score::cosine: return 1;
    case attn::Score::additive:
      return scale_of(problem.score.score_weight) * static_cast<double>(problem.score.score_weight.shape[0]);
    case attn::Score::gaussian:
      return (q + k) * (q + k) * d / 2 * problem.score.inverse_widths[0] * problem.score.inverse_widths[0];
    case attn::Score::bilinear:
      return problem.score.scale * q * k * scale_of(problem.score.bilinear) *
             std::sqrt(d * static_cast<double>(problem.sizes.query_width));
    default: return problem.score.scale * q * k * std::sqrt(d);
  }
}

/// Weights may be rounded to bf16, by at most half of 2^-8 of each: in the mean above and in the sum below.
inline double weight_rounding(attn::DType dtype) { return dtype == attn::DType::bf16 ? std::ldexp(1, -8) : 0; }

}  // namespace support
