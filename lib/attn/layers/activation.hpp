#pragma once
// Activations: the elementwise functions between two linear maps, as data.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace attn {

/// | name       | act(x)                                              | source                       |
/// |------------|-----------------------------------------------------|------------------------------|
/// | identity   | x                                                   |                              |
/// | relu       | max(0, x)                                           | Nair and Hinton 2010         |
/// | gelu       | x (1 + erf(x / sqrt 2)) / 2                         | Hendrycks and Gimpel 2016    |
/// | gelu_tanh  | x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2     | the same, its approximation  |
/// | silu       | x / (1 + exp(-x))                                   | Elfwing et al. 2017          |
/// | tanh       | tanh x                                              |                              |
enum class Activation : std::uint8_t { identity, relu, gelu, gelu_tanh, silu, tanh };

/// "gelu-tanh" ... and the names that model configurations use ("gelu_new", "gelu_pytorch_tanh", "swish").
/// Throws Error(usage) that lists the names.
Activation activation_from_name(std::string_view name);
std::string_view name_of(Activation activation) noexcept;

/// act(x) of one number, in f64.
double activate(Activation activation, double x) noexcept;

/// x[i] = act(x[i]), in place.
template <class T>
void activate(Activation activation, T* x, std::size_t count) noexcept;

}  // namespace attn
