#pragma once
// What the module libattn-reference.so computes of layers.

#include <attn/core/activation.hpp>
#include <attn/layers/loss.hpp>
#include <attn/layers/norm.hpp>
#include <attn/layers/optimizer.hpp>

namespace attn::reference {

/// What the module exports as attn_reference_layers. All arrays in f64, row-major without gaps; weights and biases may
/// be null. false: out of memory.
struct LayerFunctions {
  /// y = act(x W^T + b); x (rows, in), W (out, in), b (out), y (rows, out)
  bool (*linear)(const double* x, const double* w, const double* b, std::size_t rows, std::size_t in, std::size_t out,
                 Activation activation, double* y) noexcept;
  /// dz = dy * act'(x W^T + b), dx = dz W, dW = dz^T x, db = the sum of the rows of dz; dy (rows, out)
  bool (*linear_vjp)(const double* x, const double* w, const double* b, const double* dy, std::size_t rows,
                     std::size_t in, std::size_t out, Activation activation, double* dx, double* dw,
                     double* db) noexcept;
  /// y = (x - mean) / sqrt(var + eps) * weight + bias; x, y (rows, n), mean and 1 / deviation (rows)
  bool (*norm)(const NormParameters& parameters, const double* x, const double* weight, const double* bias,
               std::size_t rows, std::size_t n, double* y, double* mean, double* inverse_deviation) noexcept;
  /// With x^ = (x - mean) / deviation and g = dy * weight: dx = (g - mean(g) - x^ mean(g x^)) / deviation, without
  /// mean(g) for RMS norm; dweight (n) = the sum of dy * x^, dbias (n) = the sum of dy
  bool (*norm_vjp)(const NormParameters& parameters, const double* x, const double* weight, const double* dy,
                   std::size_t rows, std::size_t n, double* dx, double* dweight, double* dbias) noexcept;
  /// In place, (rows, n); -infinity: takes no part
  bool (*softmax)(double* scores, std::size_t rows, std::size_t n, bool log) noexcept;
  /// ds = p * (dy - the sum of p * dy), in place of dy (rows, n); log: ds = dy - p * the sum of dy. Scores of -infinity
  /// take no part, and their ds is 0
  bool (*softmax_vjp)(const double* scores, std::size_t rows, std::size_t n, bool log, double* dy) noexcept;
  /// PE(pos, 2j) = sin(pos / base^(2j / d)), PE(pos, 2j + 1) = cos(the same), (L, d); halves: all sines first
  bool (*sinusoids)(const double* positions, std::size_t L, std::size_t d, double base, bool halves,
                    double* table) noexcept;
  /// (x_a, x_b) -> (x_a cos - x_b sin, x_a sin + x_b cos) of the first pairs, halves or neighbours; x, y (L, d),
  /// cosines and sines (L, pairs)
  bool (*rotate)(const double* x, const double* cosines, const double* sines, std::size_t L, std::size_t d,
                 std::size_t pairs, bool interleaved, double* y) noexcept;
  /// scale (q_i + u) . r_(i - j); q (L, d), u (d), r (L + S - 1, d) by falling distance, scores (L, S)
  bool (*relative_scores)(const double* q, const double* u, const double* r, double scale, std::size_t L, std::size_t S,
                          std::size_t d, double* scores) noexcept;
  /// loss (rows) = -sum_c g_c log softmax(x)_c, and in place of x (rows, n) its gradient (sum_c g_c) softmax(x) - g
  bool (*cross_entropy)(const double* g, std::size_t rows, std::size_t n, double* x, double* loss) noexcept;
  /// One step of n elements; m and v as optimize() of optimizer.hpp remembers them
  bool (*optimize)(const OptimizerParameters& parameters, std::size_t step, double factor, const double* gradient,
                   std::size_t n, double* parameter, double* m, double* v) noexcept;
};

/// Loads the module.
const LayerFunctions& layer_functions();

}  // namespace attn::reference
