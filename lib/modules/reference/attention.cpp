// Attention as the papers write it: score, softcap, bias and mask, normalise, pool. Nobody optimises this file.
//
// Letters: L queries, S keys, d width, d_v width of values.
#include <attn/core/api.hpp>
#include "kernels.hpp"
#include "matrix.hpp"

#include <attn/attention/engines/reference.hpp>

#include <new>

namespace attn::reference {
namespace {

/// x / |x|, without overflow of the squares; the zero vector stays.
Matrix unit_rows(const Matrix& x) {
  if (x.size() == 0) return x;
  const auto or_one = [](const Matrix& size) -> Matrix { return xt::where(xt::equal(size, 0.0), 1.0, size); };
  const Matrix scaled = x / or_one(largest_of(xt::abs(x)));
  return scaled / or_one(xt::sqrt(sum_of(xt::square(scaled))));
}

/// |q_i - k_j|^2, (L, S).
Matrix squared_distances(const Matrix& q, const Matrix& k) {
  return xt::sum(xt::square(xt::expand_dims(q, 1) - xt::expand_dims(k, 0)), {2});
}

/// a(q, k), (L, S); sources in attention/score.hpp.
Matrix scores_of(const Head& head) {
  const ScoreRule& rule = *head.score;
  const Matrix q = matrix(head.query, head.L, head.d_q), k = matrix(head.key, head.S, head.d_k);
  const auto weight = [](const TensorView& w) {
    return matrix(static_cast<const double*>(w.data), w.shape[0], w.shape.size() > 1 ? w.shape[1] : 1);
  };
  switch (rule.kind) {
    case Score::dot:
    case Score::scaled_dot: return rule.scale * product(q, k);
    case Score::cosine: return rule.scale * product(unit_rows(q), unit_rows(k));
    case Score::bilinear: return rule.scale * product(product(q, xt::transpose(weight(rule.bilinear))), k);
    case Score::additive: {
      const Matrix w_v = weight(rule.score_weight), q_h = product(q, weight(rule.query_weight)),
                   k_h = product(k, weight(rule.key_weight));
      return rule.scale * xt::sum(xt::col(w_v, 0) * xt::tanh(xt::expand_dims(q_h, 1) + xt::expand_dims(k_h, 0)), {2});
    }
    case Score::gaussian:
    case Score::kernel: break;
  }
  const auto per_width = xt::adapt(rule.inverse_widths);
  const Matrix square = squared_distances(q * per_width, k * per_width);
  if (rule.is_root) return -xt::sqrt(square);
  if (rule.kind == Score::gaussian) return rule.scale * -0.5 * square;
  return rule.scale * kernel_of<Matrix>(rule.kernel, xt::sqrt(square) / rule.bandwidth);
}

/// Scores with what is added to them; -infinity: that query does not see that key.
Matrix masked(const Matrix& scores, const Masks& masks, double softcap) {
  const std::size_t L = scores.shape(0), S = scores.shape(1);
  const auto of_queries = [&](double Mask::Parts::*part) {
    Matrix column({L, 1});
    for (std::size_t i = 0; i < L; ++i) column(i, 0) = masks.parts[i].*part;
    return column;
  };
  const Matrix length = of_queries(&Mask::Parts::length), position = of_queries(&Mask::Parts::position),
               left = of_queries(&Mask::Parts::left), right = of_queries(&Mask::Parts::right),
               slope = of_queries(&Mask::Parts::slope);
  const auto j = xt::arange<double>(static_cast<double>(S));
  const Booleans sees = j < length && j >= position - left && j <= position + right && matrix(masks.passes, L, S);
  const Matrix bias = matrix(masks.bias, L, S) - slope * xt::abs(position - j);
  const Matrix capped = softcap == 0 ? scores : Matrix(softcap * xt::tanh(scores / softcap));
  return xt::where(sees && xt::not_equal(bias, -infinity), capped + bias, -infinity);
}

struct Weights {
  Matrix of_keys;   // (L, S)
  Booleans pooled;  // (L, S): keys that take part
  Booleans empty;   // (L, 1)
  Matrix lse;       // (L, 1)
};

Weights weights_of(const Matrix& s, const Normaliser& rule) {
  const Booleans sees = xt::not_equal(s, -infinity);
  const Matrix count = sum_of(xt::cast<double>(sees)), zeros = xt::zeros_like(count);
  const Booleans none = xt::equal(count, 0.0);
  const auto seen = [&](const auto& x) -> Matrix { return xt::where(sees, x, 0.0); };
  switch (rule.kind) {
    case Normalize::softmax: {
      const Matrix top = xt::maximum(largest_of(s), rule.sink);
      const Matrix e = seen(xt::exp(s - top));
      const Matrix total = sum_of(e) + xt::exp(rule.sink - top);
      return {seen(e / total), sees, none, top + xt::log(total)};
    }
    case Normalize::uniform: return {seen(1.0 / count), sees, none, zeros};
    case Normalize::hard: {
      Booleans best = xt::zeros_like(sees);
      for (std::size_t i = 0; i < s.shape(0) && s.shape(1) > 0; ++i) best(i, xt::argmax(xt::row(s, i))()) = true;
      const Matrix nan_or_0 = sum_of(seen(xt::where(xt::isnan(s), s, 0.0)));
      const Matrix reached = sum_of(seen(xt::cast<double>(xt::not_equal(s, 0.0))));
      return {xt::cast<double>(best) + nan_or_0, best, none || (rule.is_kernel && xt::equal(reached, 0.0)), zeros};
    }
    case Normalize::sum:
    case Normalize::none: break;
  }
  const Matrix w = rule.is_logarithm ? seen(xt::exp(s)) : seen(s);
  if (rule.kind == Normalize::none) return {w, sees, none, zeros};
  const Matrix total = sum_of(w);
  return {seen(w / total), sees, none || xt::equal(total, 0.0), zeros};
}

/// sum_j w_ij v_j over the keys that take part: NaN and infinity of another key do no harm.
Matrix pooled(const Weights& weights, const Matrix& v) {
  const Booleans finite = xt::isfinite(v);
  Matrix out = product(weights.of_keys, xt::transpose(Matrix(xt::where(finite, v, 0.0))));
  for (std::size_t j = 0; j < v.shape(0); ++j) {
    if (xt::all(xt::row(finite, j))) continue;
    const auto rest = xt::where(xt::row(finite, j), 0.0, xt::row(v, j));
    out += xt::where(xt::view(weights.pooled, xt::all(), xt::range(j, j + 1)),
                     xt::view(weights.of_keys, xt::all(), xt::range(j, j + 1)) * rest, 0.0);
  }
  return out;
}

bool write_scores(const Head& head, double* out) noexcept try {
  const Matrix scores = scores_of(head);
  std::copy(scores.begin(), scores.end(), out);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

bool attend(const Head& head, const Masks& masks, const Normaliser& rule, const Results& results) noexcept try {
  const Matrix s = masked(scores_of(head), masks, head.score->softcap);
  const Weights weights = weights_of(s, rule);
  const Matrix out = xt::where(weights.empty, rule.empty, pooled(weights, matrix(head.value, head.S, head.d_v)));
  const Matrix lse = xt::where(weights.empty, -infinity, weights.lse);
  std::copy(out.begin(), out.end(), results.output);
  std::copy(lse.begin(), lse.end(), results.lse);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace

extern "C" ATTN_API const AttentionFunctions attn_reference_attention{write_scores, attend};

}  // namespace attn::reference
