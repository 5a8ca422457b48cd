// Attention as the papers write it: score, softcap, bias and mask, normalise, pool. Nobody optimises this file.
//
// Letters: L queries, S keys, d width, d_v width of values.
#include <attn/core/export.hpp>
#include "kernels.hpp"
#include "matrix.hpp"

#include <attn/attention/inner/reference_module.hpp>

#include <new>

namespace attn::reference {
namespace {

/// x / |x|, without overflow of the squares; the zero vector stays.
Matrix unit_rows(const Matrix& x) {
  if (x.size() == 0) return x;
  const auto or_one = [](const Matrix& size) -> Matrix { return where(equal(size, 0.0), 1.0, size); };
  const Matrix scaled = x / or_one(largest_of(abs(x)));
  return scaled / or_one(sqrt(sum_of(square(scaled))));
}

/// |q_i - k_j|^2, (L, S).
Matrix squared_distances(const Matrix& q, const Matrix& k) {
  return sum_over(square(expand_dims(q, 1) - expand_dims(k, 0)), 2);
}

/// a(q, k), (L, S); sources in attention/parameters.hpp.
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
    case Score::bilinear: return rule.scale * product(product(q, transpose(weight(rule.bilinear))), k);
    case Score::additive: {
      const Matrix w_v = weight(rule.score_weight), q_h = product(q, weight(rule.query_weight)),
                   k_h = product(k, weight(rule.key_weight));
      return rule.scale * sum_over(expand_dims(transpose(w_v), 0) * tanh(expand_dims(q_h, 1) + expand_dims(k_h, 0)), 2);
    }
    case Score::gaussian:
    case Score::kernel: break;
  }
  const Matrix per_width = matrix(rule.inverse_widths.data(), 1, rule.inverse_widths.size());
  const Matrix square = squared_distances(q * per_width, k * per_width);
  if (rule.is_root) return -sqrt(square);
  if (rule.kind == Score::gaussian) return rule.scale * -0.5 * square;
  return rule.scale * kernel_of<Matrix>(rule.kernel, sqrt(square) / rule.bandwidth);
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
  Matrix j({1, S});
  std::iota(j.begin(), j.end(), 0.0);
  const Booleans sees = j < length && j >= position - left && j <= position + right && matrix(masks.passes, L, S);
  const Matrix bias = matrix(masks.bias, L, S) - slope * abs(position - j);
  const Matrix capped = softcap == 0 ? scores : softcap * tanh(scores / softcap);
  return where(sees && not_equal(bias, -infinity), capped + bias, -infinity);
}

struct Weights {
  Matrix of_keys;   // (L, S)
  Booleans pooled;  // (L, S): keys that take part
  Booleans empty;   // (L, 1)
  Matrix lse;       // (L, 1)
};

Weights weights_of(const Matrix& s, const Normaliser& rule) {
  const Booleans sees = not_equal(s, -infinity);
  const Matrix count = sum_of(where(sees, 1.0, 0.0)), zeros(count.shape(), 0.0);
  const Booleans none = equal(count, 0.0);
  const auto seen = [&](const auto& x) -> Matrix { return where(sees, x, 0.0); };
  switch (rule.kind) {
    case Normalize::softmax: {
      const Matrix top = maximum(largest_of(s), rule.sink);
      const Matrix e = seen(exp(s - top));
      const Matrix total = sum_of(e) + exp(rule.sink - top);
      return {seen(e / total), sees, none, top + log(total)};
    }
    case Normalize::uniform: return {seen(1.0 / count), sees, none, zeros};
    case Normalize::hard: {
      Booleans best = s > infinity;
      for (std::size_t i = 0; i < s.shape(0) && s.shape(1) > 0; ++i) best(i, xt::argmax(xt::row(s, i))()) = true;
      const Matrix nan_or_0 = sum_of(seen(where(isnan(s), s, 0.0)));
      const Matrix reached = sum_of(seen(where(not_equal(s, 0.0), 1.0, 0.0)));
      return {where(best, 1.0, 0.0) + nan_or_0, best, none || (rule.is_kernel && equal(reached, 0.0)), zeros};
    }
    case Normalize::sum:
    case Normalize::none: break;
  }
  const Matrix w = rule.is_logarithm ? seen(exp(s)) : seen(s);
  if (rule.kind == Normalize::none) return {w, sees, none, zeros};
  const Matrix total = sum_of(w);
  return {seen(w / total), sees, none || equal(total, 0.0), zeros};
}

/// sum_j w_ij x_j over the pairs that are taken: NaN and infinity of another row do no harm.
Matrix sum_of_taken(const Matrix& w, const Booleans& taken, const Matrix& x) {
  const Booleans finite = isfinite(x);
  Matrix out = product(w, transpose(Matrix(where(finite, x, 0.0))));
  for (std::size_t j = 0; j < x.shape(0); ++j) {
    if (xt::all(xt::row(finite, j))) continue;
    const Matrix rest = where(rows(finite, j, j + 1), 0.0, rows(x, j, j + 1));
    out = out + where(columns(taken, j, j + 1), columns(w, j, j + 1) * rest, 0.0);
  }
  return out;
}

// ---- gradients -----------------------------------------------------------------------------------------------------

/// ds_ij from the cotangents dw_ij of the weights and dlse_i of the log-sum-exp; s: masked scores.
Matrix dscores_of(const Weights& weights, const Matrix& s, const Matrix& dw, const Matrix& dlse,
                  const Normaliser& rule) {
  const Matrix &w = weights.of_keys, mean = sum_of(w * dw);
  const auto of_sum = [&](const Matrix& terms) -> Matrix {
    const Matrix total = sum_of(where(weights.pooled, terms, 0.0));
    return (dw - mean) / total;
  };
  switch (rule.kind) {
    case Normalize::softmax: return w * (dw - mean + dlse);
    case Normalize::sum: return rule.is_logarithm ? w * (dw - mean) : of_sum(s);
    case Normalize::none: return rule.is_logarithm ? w * dw : dw;
    case Normalize::hard:
    case Normalize::uniform: break;
  }
  return Matrix(s.shape(), 0.0);
}

/// Where a score is 0 in ds, nothing is read: NaN behind a mask has no effect.
Booleans not_zero(const Matrix& x) { return not_equal(x, 0.0); }

/// Of y = x / |x|.
Matrix unit_rows_vjp(const Matrix& x, const Matrix& dy) {
  const Booleans taken = not_equal(sum_of(abs(dy)), 0.0);
  const Matrix y = where(taken, unit_rows(x), 0.0), size = sqrt(sum_of(square(x)));
  return where(taken && size > 0.0, (dy - y * sum_of(y * dy)) / size, 0.0);
}

/// d = sum over (i, j) of ds_ij times the derivatives of a(q_i, k_j).
void scores_vjp(const Head& head, const Matrix& ds, const HeadGradient& out) {
  const ScoreRule& rule = *head.score;
  const Matrix q = matrix(head.query, head.L, head.d_q), k = matrix(head.key, head.S, head.d_k);
  const auto weight = [](const TensorView& w) {
    return matrix(static_cast<const double*>(w.data), w.shape[0], w.shape.size() > 1 ? w.shape[1] : 1);
  };
  const Matrix ds_t = transpose(ds);
  const Booleans taken = not_zero(ds), taken_t = transpose(taken);
  // Of a product phi(q).psi(k).
  const auto dphi = [&](const Matrix& psi) -> Matrix { return rule.scale * sum_of_taken(ds, taken, psi); };
  const auto dpsi = [&](const Matrix& phi) -> Matrix { return rule.scale * sum_of_taken(ds_t, taken_t, phi); };
  /// W of y = x W^T.
  const auto dweight = [&](const Matrix& dy, const Matrix& x) -> Matrix {
    return sum_of_taken(transpose(dy), not_zero(transpose(dy)), x);
  };
  switch (rule.kind) {
    case Score::dot:
    case Score::scaled_dot:
      write(dphi(k), out.query);
      write(dpsi(q), out.key);
      return;
    case Score::cosine:
      write(unit_rows_vjp(q, dphi(unit_rows(k))), out.query);
      write(unit_rows_vjp(k, dpsi(unit_rows(q))), out.key);
      return;
    case Score::bilinear: {
      const Matrix m = weight(rule.bilinear), of_phi = dphi(k);
      write(product(of_phi, m), out.query);
      write(dpsi(product(q, transpose(m))), out.key);
      write(transpose(dweight(of_phi, q)), out.query_matrix);
      return;
    }
    case Score::additive: {
      const Matrix w_v = weight(rule.score_weight), w_q = weight(rule.query_weight), w_k = weight(rule.key_weight);
      const Matrix q_h = product(q, w_q), k_h = product(k, w_k);
      const Array<double, 3> t = tanh(expand_dims(q_h, 1) + expand_dims(k_h, 0));
      const Array<double, 3> ds_3 = expand_dims(ds, 2);
      const Array<double, 3> of_w = where(not_equal(ds_3, 0.0), rule.scale * ds_3 * t, 0.0);
      const Array<double, 3> of_sum =
          where(not_equal(ds_3, 0.0), rule.scale * ds_3 * expand_dims(transpose(w_v), 0) * (1.0 - t * t), 0.0);
      const Matrix of_q = sum_over(of_sum, 1), of_k = sum_over(of_sum, 0);
      write(product(of_q, transpose(w_q)), out.query);
      write(product(of_k, transpose(w_k)), out.key);
      write(dweight(of_q, q), out.query_matrix);
      write(dweight(of_k, k), out.key_matrix);
      write(sum_over(sum_over(of_w, 0), 0), out.pair);
      return;
    }
    case Score::gaussian:
    case Score::kernel: break;
  }
  // a = f(r), r = |u| and u = (q - k) / h: da/dq = f'(r) / r u / h, da/dh = -f'(r) / r u^2 / h.
  const auto bandwidth = rule.kind == Score::kernel ? rule.bandwidth : 1.0;
  const Matrix inverse = matrix(rule.inverse_widths.data(), 1, rule.inverse_widths.size()) / bandwidth;
  const Array<double, 3> u = (expand_dims(q, 1) - expand_dims(k, 0)) * expand_dims(inverse, 0);
  const Matrix r = sqrt(sum_over(square(u), 2));
  Matrix slope(r.shape(), -rule.scale);
  if (rule.is_root) slope = where(r > 0.0, -1.0 / r, 0.0);
  if (rule.kind == Score::kernel) {
    const Matrix weights = kernel_of<Matrix>(rule.kernel, r);
    slope = where(weights > 0.0, -rule.scale * weights * falloff_of<Matrix>(rule.kernel, r), 0.0);
  }
  const Array<double, 3> ds_3 = expand_dims(ds, 2), du = ds_3 * expand_dims(slope, 2) * u * expand_dims(inverse, 0);
  const Array<double, 3> along = where(not_equal(ds_3, 0.0), du, 0.0);
  const Array<double, 3> wider = where(not_equal(along, 0.0), along * u, 0.0);
  write(sum_over(along, 1), out.query);
  write(-sum_over(along, 0), out.key);
  write(-sum_over(sum_over(wider, 0), 0), out.pair);
}

bool write_scores(const Head& head, double* out) noexcept try {
  const Matrix scores = scores_of(head);
  write(scores, out);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

bool attend(const Head& head, const Masks& masks, const Normaliser& rule, const Results& results) noexcept try {
  const Matrix s = masked(scores_of(head), masks, head.score->softcap);
  const Weights weights = weights_of(s, rule);
  const Matrix out = where(weights.empty, rule.empty,
                           sum_of_taken(weights.of_keys, weights.pooled, matrix(head.value, head.S, head.d_v)));
  const Matrix lse = where(weights.empty, -infinity, weights.lse);
  write(out, results.output);
  write(lse, results.lse);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

bool vjp(const Head& head, const Masks& masks, const Normaliser& rule, const Cotangents& dy,
         const HeadGradient& out) noexcept try {
  const std::size_t L = head.L, S = head.S;
  const double softcap = head.score->softcap;
  const Matrix plain = scores_of(head), s = masked(plain, masks, softcap), v = matrix(head.value, S, head.d_v);
  const Weights weights = weights_of(s, rule);
  const Matrix w = where(weights.empty, 0.0, weights.of_keys);
  const Matrix dlse = dy.lse != nullptr ? matrix(dy.lse, L, 1) : Matrix(xt::zeros<double>({L, std::size_t{1}}));
  const Matrix dout = where(weights.empty, 0.0, matrix(dy.output, L, head.d_v));
  Matrix dw = product(dout, v);
  if (dy.weights != nullptr) dw += matrix(dy.weights, L, S);
  const Booleans pooled = weights.pooled && !weights.empty;
  dw = where(pooled, dw, 0.0);
  const Matrix ds = where(pooled, dscores_of(weights, s, dw, dlse, rule), 0.0);
  write(sum_of_taken(transpose(w), transpose(pooled), dout), out.value);
  write(ds, out.scores);
  write(where(weights.empty, -infinity, weights.lse), out.lse);
  // The sink is one more score, whose weight pools nothing.
  const Matrix dsink = exp(rule.sink - weights.lse) * (dlse - sum_of(w * dw));
  *out.sink = rule.sink == -infinity ? 0.0 : sum_over(where(weights.empty, 0.0, dsink), 0)(0);
  const Matrix of_capped = softcap == 0 ? constant<2>(1.0) : 1.0 - square(tanh(plain / softcap));
  scores_vjp(head, where(not_zero(ds), ds * of_capped, 0.0), out);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace

extern "C" ATTN_API const AttentionFunctions attn_reference_attention{write_scores, attend, vjp};

}  // namespace attn::reference
