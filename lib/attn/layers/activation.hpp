#pragma once
// Activations by name and by formula: the elementwise functions between two linear maps.

#include <attn/simd/activation.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// "gelu-tanh" ... and the names that model configurations use ("gelu_new", "gelu_pytorch_tanh", "swish").
/// Throws Error(usage) that lists the names.
Activation activation_from_name(std::string_view name);
std::string_view name_of(Activation activation) noexcept;
/// One for each activation.
std::vector<std::string> activation_names();

/// act(x) of one number, in f64, by the formulas of simd/activation.hpp.
double activate(Activation activation, double x) noexcept;

}  // namespace attn
