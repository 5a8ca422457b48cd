#include <attn/core/error.hpp>
#include <attn/layers/activation.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace attn {
namespace {

constexpr std::pair<std::string_view, Activation> names[] = {
    {"none", Activation::none},
    {"relu", Activation::relu},
    {"gelu", Activation::gelu},
    {"gelu-tanh", Activation::gelu_tanh},
    {"silu", Activation::silu},
    {"tanh", Activation::tanh},
    {"sigmoid", Activation::sigmoid},
    // As model configurations spell them.
    {"linear", Activation::none},
    {"gelu_new", Activation::gelu_tanh},
    {"gelu_tanh", Activation::gelu_tanh},
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"gelu_fast", Activation::gelu_tanh},
    {"swish", Activation::silu},
};

}  // namespace

Activation activation_from_name(std::string_view name) {
  for (const auto& [known, activation] : names)
    if (known == name) return activation;
  throw Error(ErrorKind::usage, "activation '" + std::string(name) + "'", "is not known",
              "known are none, relu, gelu, gelu-tanh, silu, tanh, sigmoid");
}

std::string_view name_of(Activation activation) noexcept {
  for (const auto& [known, value] : names)
    if (value == activation) return known;
  return "";
}

double activate(Activation activation, double x) noexcept {
  constexpr double sqrt_half = 0.70710678118654752440, sqrt_2_over_pi = 0.79788456080286535588;
  switch (activation) {
    case Activation::none: return x;
    case Activation::relu: return x > 0 || std::isnan(x) ? x : 0.0;
    // erfc keeps its digits where 1 + erf has lost them all, for x far below 0.
    case Activation::gelu: return 0.5 * x * std::erfc(-x * sqrt_half);
    case Activation::gelu_tanh: return 0.5 * x * (1 + std::tanh(sqrt_2_over_pi * (x + 0.044715 * x * x * x)));
    case Activation::silu: return x / (1 + std::exp(-x));
    case Activation::tanh: return std::tanh(x);
    case Activation::sigmoid: return 1 / (1 + std::exp(-x));
  }
  return x;
}

}  // namespace attn
