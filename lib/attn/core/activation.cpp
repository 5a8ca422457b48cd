#include <attn/core/activation.hpp>

#include <attn/core/error.hpp>

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
    {"quick-gelu", Activation::quick_gelu},
    {"gelu-fast", Activation::gelu_fast},
    {"gelu-10", Activation::gelu_10},
    {"relu2", Activation::relu2},
    {"relu6", Activation::relu6},
    {"leaky-relu", Activation::leaky_relu},
    {"mish", Activation::mish},
    {"hardswish", Activation::hardswish},
    {"laplace", Activation::laplace},
    // Spellings in model configurations.
    {"linear", Activation::none},
    {"gelu_new", Activation::gelu_tanh},
    {"gelu_tanh", Activation::gelu_tanh},
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"gelu_python_tanh", Activation::gelu_tanh},
    {"gelu_accurate", Activation::gelu_tanh},
    {"gelu_python", Activation::gelu},
    {"swish", Activation::silu},
    {"quick_gelu", Activation::quick_gelu},
    {"gelu_fast", Activation::gelu_fast},
    {"gelu_10", Activation::gelu_10},
    {"leaky_relu", Activation::leaky_relu},
};

}  // namespace

Activation activation_from_name(std::string_view name) {
  for (const auto& [known, activation] : names)
    if (known == name) return activation;
  throw Error(ErrorKind::usage, "activation '" + std::string(name) + "'", "is not known",
              "known are " + listed(activation_names()));
}

std::string_view name_of(Activation activation) noexcept {
  for (const auto& [known, value] : names)
    if (value == activation) return known;
  return "";
}

std::vector<std::string> activation_names() {
  std::vector<std::string> list;
  for (const auto& [known, activation] : names)
    if (name_of(activation) == known) list.emplace_back(known);
  return list;
}

namespace {

constexpr double sqrt_half = 0.70710678118654752440, sqrt_2_over_pi = 0.79788456080286535588;

/// d/dx x (1 + tanh(c (x + 0.044715 x^3))) / 2
double gelu_tanh_slope(double c, double x) noexcept {
  const double t = std::tanh(c * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t) * (1 + t) * c * (1 + 3 * 0.044715 * x * x);
}

/// d/dx x / (1 + e^-cx)
double swish_slope(double c, double x) noexcept {
  const double s = 1 / (1 + std::exp(-c * x));
  return s * (1 + c * x * (1 - s));
}

}  // namespace

double activate(Activation activation, double x) noexcept {
  switch (activation) {
    case Activation::none: return x;
    case Activation::relu: return x > 0 || std::isnan(x) ? x : 0.0;
    // For x far below 0, erfc keeps its digits, while 1 + erf loses them all.
    case Activation::gelu: return 0.5 * x * std::erfc(-x * sqrt_half);
    case Activation::gelu_tanh: return 0.5 * x * (1 + std::tanh(sqrt_2_over_pi * (x + 0.044715 * x * x * x)));
    case Activation::gelu_fast: return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
    case Activation::silu: return x / (1 + std::exp(-x));
    case Activation::tanh: return std::tanh(x);
    case Activation::sigmoid: return 1 / (1 + std::exp(-x));
    case Activation::quick_gelu: return x / (1 + std::exp(-1.702 * x));
    case Activation::gelu_10: {
      const double y = activate(Activation::gelu, x);
      return y > 10 ? 10 : y;
    }
    case Activation::relu2: return x > 0 || std::isnan(x) ? x * x : 0.0;
    case Activation::relu6: return x > 6 ? 6 : activate(Activation::relu, x);
    case Activation::leaky_relu: return x < 0 ? 0.01 * x : x;
    case Activation::mish: return x * std::tanh(x > 40 ? x : std::log1p(std::exp(x)));
    case Activation::hardswish: return x * activate(Activation::relu6, x + 3) / 6;
    case Activation::laplace: return 0.5 * std::erfc((0.707107 - x) / (0.282095 * 1.4142135623730951));
  }
  return x;
}

double activation_slope(Activation activation, double x) noexcept {
  const auto sigmoid = [](double z) { return 1 / (1 + std::exp(-z)); };
  switch (activation) {
    case Activation::none: return 1;
    case Activation::relu: return x > 0 ? 1 : 0;
    case Activation::gelu: return 0.5 * std::erfc(-x * sqrt_half) + 0.5 * sqrt_2_over_pi * x * std::exp(-0.5 * x * x);
    case Activation::gelu_tanh: return gelu_tanh_slope(sqrt_2_over_pi, x);
    case Activation::gelu_fast: return gelu_tanh_slope(0.7978845608, x);
    case Activation::silu: return swish_slope(1, x);
    case Activation::tanh: return (1 - std::tanh(x)) * (1 + std::tanh(x));
    case Activation::sigmoid: return sigmoid(x) * sigmoid(-x);
    case Activation::quick_gelu: return swish_slope(1.702, x);
    case Activation::gelu_10: return activate(Activation::gelu, x) > 10 ? 0 : activation_slope(Activation::gelu, x);
    case Activation::relu2: return x > 0 ? 2 * x : 0;
    case Activation::relu6: return x > 6 ? 0 : activation_slope(Activation::relu, x);
    case Activation::leaky_relu: return x < 0 ? 0.01 : 1;
    case Activation::mish: {
      const double t = std::tanh(x > 40 ? x : std::log1p(std::exp(x)));
      return t + x * (1 - t) * (1 + t) * sigmoid(x);
    }
    case Activation::hardswish:
      return (activate(Activation::relu6, x + 3) + x * activation_slope(Activation::relu6, x + 3)) / 6;
    case Activation::laplace: {
      constexpr double width = 0.282095 * 1.4142135623730951, sqrt_pi = 1.77245385090551602730;
      const double u = (0.707107 - x) / width;
      return std::exp(-u * u) / (width * sqrt_pi);
    }
  }
  return 1;
}

}  // namespace attn
