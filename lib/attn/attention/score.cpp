#include <attn/attention/score.hpp>

#include <algorithm>

namespace attn {
namespace {

double dot(const double* a, const double* b, std::size_t n) noexcept {
  double sum = 0;
  for (std::size_t c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

/// out = W x, W (rows, columns).
void multiply(const TensorView& w, const double* x, double* out) noexcept {
  const auto* const data = static_cast<const double*>(w.data);
  for (std::size_t r = 0; r < w.shape[0]; ++r) out[r] = dot(data + r * w.shape[1], x, w.shape[1]);
}

/// x / |x|, without overflow of the squares; the zero vector is unchanged.
void to_unit(const double* x, double* out, std::size_t n) noexcept {
  double length = 0;
  for (std::size_t c = 0; c < n; ++c) length = std::hypot(length, x[c]);
  for (std::size_t c = 0; c < n; ++c) out[c] = length == 0 ? 0 : x[c] / length;
}

void per_width(const ScoreRule& rule, const double* x, double* out) noexcept {
  for (std::size_t c = 0; c < rule.inverse_widths.size(); ++c) out[c] = x[c] * rule.inverse_widths[c];
}

}  // namespace

std::size_t pair_width(const ScoreRule& rule, const AttentionSizes& sizes) noexcept {
  return rule.kind == Score::additive ? rule.score_weight.shape[0] : sizes.key_width;
}

void phi(const ScoreRule& rule, const AttentionSizes& sizes, const double* q, double* out) noexcept {
  switch (rule.kind) {
    case Score::scaled_dot:
    case Score::dot: std::copy_n(q, sizes.query_width, out); return;
    case Score::cosine: return to_unit(q, out, sizes.query_width);
    case Score::gaussian:
    case Score::kernel: return per_width(rule, q, out);
    case Score::additive: return multiply(rule.query_weight, q, out);
    case Score::bilinear: break;
  }
  const auto* const m = static_cast<const double*>(rule.bilinear.data);
  std::fill_n(out, sizes.key_width, 0.0);
  for (std::size_t r = 0; r < sizes.query_width; ++r)
    for (std::size_t c = 0; c < sizes.key_width; ++c) out[c] += q[r] * m[r * sizes.key_width + c];
}

void psi(const ScoreRule& rule, const AttentionSizes& sizes, const double* k, double* out) noexcept {
  switch (rule.kind) {
    case Score::scaled_dot:
    case Score::dot:
    case Score::bilinear: std::copy_n(k, sizes.key_width, out); return;
    case Score::cosine: return to_unit(k, out, sizes.key_width);
    case Score::gaussian:
    case Score::kernel: return per_width(rule, k, out);
    case Score::additive: return multiply(rule.key_weight, k, out);
  }
}

double kernel_score(const ScoreRule& rule, double square) noexcept {
  return rule.scale * kernel_weight(rule.kernel, std::sqrt(square) / rule.bandwidth);
}

double pair_score(const ScoreRule& rule, const double* phi_q, const double* psi_k, std::size_t width) noexcept {
  if (rule.kind == Score::gaussian || rule.kind == Score::kernel) {
    double square = 0;
    for (std::size_t c = 0; c < width; ++c) square += (phi_q[c] - psi_k[c]) * (phi_q[c] - psi_k[c]);
    if (rule.is_root) return -std::sqrt(square);
    return rule.kind == Score::gaussian ? rule.scale * (-0.5 * square) : kernel_score(rule, square);
  }
  if (rule.kind == Score::additive) {
    const auto* const w = static_cast<const double*>(rule.score_weight.data);
    double sum = 0;
    for (std::size_t c = 0; c < width; ++c) sum += w[c] * std::tanh(phi_q[c] + psi_k[c]);
    return rule.scale * sum;
  }
  return rule.scale * dot(phi_q, psi_k, width);
}

}  // namespace attn
