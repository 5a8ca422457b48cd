#include <attn/attention/inner/scores.hpp>

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

namespace {

/// The derivative of the score by the squared distance.
double slope_of_square(const ScoreRule& rule, double square) noexcept {
  if (rule.is_root) return square == 0 ? 0 : -0.5 / std::sqrt(square);
  if (rule.kind == Score::gaussian) return -0.5 * rule.scale;
  const double h = rule.bandwidth, u = std::sqrt(square) / h, weight = kernel_weight(rule.kernel, u);
  return weight == 0 ? 0 : rule.scale * weight * kernel_falloff(rule.kernel, u) / (-2 * h * h);
}

/// dx = W^T dy and dW += dy x^T for y = W x, W (rows, columns).
void multiply_vjp(const TensorView& w, const double* x, const double* dy, double* dx, double* dw) noexcept {
  const auto* const data = static_cast<const double*>(w.data);
  const std::size_t rows = w.shape[0], columns = w.shape[1];
  std::fill_n(dx, columns, 0.0);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      dx[c] += data[r * columns + c] * dy[r];
      dw[r * columns + c] += dy[r] * x[c];
    }
}

/// Of x / |x|.
void to_unit_vjp(const double* x, const double* dy, double* dx, std::size_t n) noexcept {
  double length = 0, along = 0;
  for (std::size_t c = 0; c < n; ++c) length = std::hypot(length, x[c]);
  for (std::size_t c = 0; c < n; ++c) along += x[c] / length * dy[c];
  for (std::size_t c = 0; c < n; ++c) dx[c] = length == 0 ? 0 : (dy[c] - x[c] / length * along) / length;
}

bool is_zero(const double* x, std::size_t n) noexcept {
  return std::all_of(x, x + n, [](double element) { return element == 0; });
}

void add(std::vector<double>& to, const std::vector<double>& x) noexcept {
  for (std::size_t at = 0; at < to.size(); ++at) to[at] += x[at];
}

}  // namespace

ScoreGradient::ScoreGradient(const ScoreRule& rule, const AttentionSizes& n) {
  if (rule.has_distance()) pair.resize(n.key_width);
  if (rule.kind == Score::bilinear) query_matrix.resize(n.query_width * n.key_width);
  if (rule.kind != Score::additive) return;
  const std::size_t hidden = pair_width(rule, n);
  pair.resize(hidden);
  query_matrix.resize(hidden * n.query_width);
  key_matrix.resize(hidden * n.key_width);
}

ScoreGradient& ScoreGradient::operator+=(const ScoreGradient& other) {
  add(pair, other.pair);
  add(query_matrix, other.query_matrix);
  add(key_matrix, other.key_matrix);
  return *this;
}

void add_pair_vjp(const ScoreRule& rule, double ds, const double* phi_q, const double* psi_k, std::size_t width,
                  double* dphi, double* dpsi, ScoreGradient& gradient) noexcept {
  if (rule.has_distance()) {
    double square = 0;
    for (std::size_t c = 0; c < width; ++c) square += (phi_q[c] - psi_k[c]) * (phi_q[c] - psi_k[c]);
    const double factor = 2 * ds * slope_of_square(rule, square);
    const double inverse = rule.kind == Score::kernel ? 1 / rule.bandwidth : 1;
    for (std::size_t c = 0; c < width; ++c) {
      const double difference = phi_q[c] - psi_k[c];
      dphi[c] += factor * difference;
      dpsi[c] -= factor * difference;
      gradient.pair[c] -= factor * difference * difference * rule.inverse_widths[c] * inverse;
    }
    return;
  }
  ds *= rule.scale;
  if (rule.kind == Score::additive) {
    const auto* const w = static_cast<const double*>(rule.score_weight.data);
    for (std::size_t c = 0; c < width; ++c) {
      const double t = std::tanh(phi_q[c] + psi_k[c]), slope = ds * w[c] * (1 - t * t);
      dphi[c] += slope;
      dpsi[c] += slope;
      gradient.pair[c] += ds * t;
    }
    return;
  }
  for (std::size_t c = 0; c < width; ++c) {
    dphi[c] += ds * psi_k[c];
    dpsi[c] += ds * phi_q[c];
  }
}

void phi_vjp(const ScoreRule& rule, const AttentionSizes& sizes, const double* q, const double* dphi, double* dq,
             ScoreGradient& gradient) noexcept {
  const std::size_t d_q = sizes.query_width, d_k = sizes.key_width;
  if (is_zero(dphi, pair_width(rule, sizes))) return static_cast<void>(std::fill_n(dq, d_q, 0.0));
  switch (rule.kind) {
    case Score::scaled_dot:
    case Score::dot: std::copy_n(dphi, d_q, dq); return;
    case Score::cosine: return to_unit_vjp(q, dphi, dq, d_q);
    case Score::gaussian:
    case Score::kernel: return per_width(rule, dphi, dq);
    case Score::additive: return multiply_vjp(rule.query_weight, q, dphi, dq, gradient.query_matrix.data());
    case Score::bilinear: break;
  }
  const auto* const m = static_cast<const double*>(rule.bilinear.data);
  for (std::size_t r = 0; r < d_q; ++r) {
    dq[r] = dot(m + r * d_k, dphi, d_k);
    for (std::size_t c = 0; c < d_k; ++c) gradient.query_matrix[r * d_k + c] += q[r] * dphi[c];
  }
}

void psi_vjp(const ScoreRule& rule, const AttentionSizes& sizes, const double* k, const double* dpsi, double* dk,
             ScoreGradient& gradient) noexcept {
  const std::size_t d_k = sizes.key_width;
  if (is_zero(dpsi, pair_width(rule, sizes))) return static_cast<void>(std::fill_n(dk, d_k, 0.0));
  switch (rule.kind) {
    case Score::scaled_dot:
    case Score::dot:
    case Score::bilinear: std::copy_n(dpsi, d_k, dk); return;
    case Score::cosine: return to_unit_vjp(k, dpsi, dk, d_k);
    case Score::gaussian:
    case Score::kernel: return per_width(rule, dpsi, dk);
    case Score::additive: return multiply_vjp(rule.key_weight, k, dpsi, dk, gradient.key_matrix.data());
  }
}

}  // namespace attn
