#pragma once
// What the module libattn-reference.so computes of layers.

#include <attn/core/activation.hpp>
#include <attn/layers/norm.hpp>

namespace attn::reference {

/// What the module exports as attn_reference_layers. All arrays in f64, row-major without gaps; weights and biases may
/// be null. false: out of memory.
struct LayerFunctions {
  /// y = act(x W^T + b); x (rows, in), W (out, in), b (out), y (rows, out)
  bool (*linear)(const double* x, const double* w, const double* b, std::size_t rows, std::size_t in, std::size_t out,
                 Activation activation, double* y) noexcept;
  /// y = (x - mean) / sqrt(var + eps) * weight + bias; x, y (rows, n), mean and 1 / deviation (rows)
  bool (*norm)(const NormParameters& parameters, const double* x, const double* weight, const double* bias,
               std::size_t rows, std::size_t n, double* y, double* mean, double* inverse_deviation) noexcept;
  /// In place, (rows, n); -infinity: takes no part
  bool (*softmax)(double* scores, std::size_t rows, std::size_t n, bool log) noexcept;
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
};

/// Loads the module.
const LayerFunctions& layer_functions();

}  // namespace attn::reference
