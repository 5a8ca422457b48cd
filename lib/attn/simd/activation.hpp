#pragma once
// Activation functions of feed-forward networks, as values.

#include <cstdint>

namespace attn {

/// act(x), element by element.
enum class Activation : std::uint8_t {
  none,       ///< x
  relu,       ///< max(0, x)
  gelu,       ///< x (1 + erf(x / sqrt 2)) / 2                               Hendrycks and Gimpel 2016
  gelu_tanh,  ///< x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2         the same, approximated
  silu,       ///< x / (1 + e^-x)                                            Elfwing et al. 2018
  tanh,       ///< tanh(x)
  sigmoid     ///< 1 / (1 + e^-x)
};

}  // namespace attn
