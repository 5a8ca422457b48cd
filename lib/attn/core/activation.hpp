#pragma once
// Activations by name and by formula: the elementwise functions between two linear maps.

#include <attn/core/export.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// act(x), element by element.
enum class Activation : std::uint8_t {
  none,        ///< x
  relu,        ///< max(0, x)
  gelu,        ///< x (1 + erf(x / sqrt 2)) / 2                               Hendrycks and Gimpel 2016
  gelu_tanh,   ///< x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2         the same, approximated
  silu,        ///< x / (1 + e^-x)                                            Elfwing et al. 2018
  tanh,        ///< tanh(x)
  sigmoid,     ///< 1 / (1 + e^-x)
  quick_gelu,  ///< x / (1 + e^-1.702x)                                       gelu, approximated with less work
  gelu_fast,   ///< gelu_tanh with sqrt(2 / pi) cut to 0.7978845608, as transformers has it
  gelu_10,     ///< gelu, at most 10                                          Zafrir et al. 2020, for quantisation
  relu2,       ///< max(0, x)^2                                               So et al. 2021
  relu6,       ///< min(max(0, x), 6)
  leaky_relu,  ///< x, for x < 0 x / 100
  mish,        ///< x tanh(ln(1 + e^x))                                       Misra 2019
  hardswish,   ///< x min(max(0, x + 3), 6) / 6                               Howard et al. 2019
  laplace      ///< (1 + erf((x - 0.707107) / (0.282095 sqrt 2))) / 2         Ma et al. 2022
};

/// "gelu-tanh" ... and the names that model configurations use ("gelu_new", "gelu_pytorch_tanh", "swish").
/// Throws Error(usage) that lists the names.
Activation activation_from_name(std::string_view name);
std::string_view name_of(Activation activation) noexcept;
/// One for each activation.
std::vector<std::string> activation_names();

/// act(x) of one number, in f64: the formulas as they stand in the table above.
double activate(Activation activation, double x) noexcept;
/// act'(x), in f64. Where act has a kink, the slope of the side that activate() computes.
double activation_slope(Activation activation, double x) noexcept;

}  // namespace attn
