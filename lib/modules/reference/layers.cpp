// Linear maps, norms, softmax and positions as the papers write them. Nobody optimises this file.
#include <attn/core/export.hpp>
#include "matrix.hpp"

#include <attn/layers/inner/reference_module.hpp>

namespace attn::reference {
namespace {

/// act(x); the table is in core/activation.hpp.
Matrix activated(Activation activation, const Matrix& x) {
  const double sqrt_half = 1 / std::sqrt(2.0), sqrt_2_over_pi = std::sqrt(2 / xt::numeric_constants<double>::PI);
  const auto sigmoid = [](const auto& z) { return 1.0 / (1.0 + exp(-z)); };
  const auto relu = [](const auto& z) -> Matrix { return where(z < 0.0, 0.0, z); };
  const auto at_most = [](double top, const Matrix& z) -> Matrix { return where(z > top, top, z); };
  // erfc keeps its digits where 1 + erf has lost them all, for x far below 0.
  const auto gelu = [&]() -> Matrix { return 0.5 * x * erfc(-x * sqrt_half); };
  const auto gelu_tanh = [&](double c) -> Matrix { return 0.5 * x * (1.0 + tanh(c * (x + 0.044715 * cube(x)))); };
  switch (activation) {
    case Activation::none: break;
    case Activation::relu: return relu(x);
    case Activation::gelu: return gelu();
    case Activation::gelu_tanh: return gelu_tanh(sqrt_2_over_pi);
    case Activation::silu: return x * sigmoid(x);
    case Activation::tanh: return tanh(x);
    case Activation::sigmoid: return sigmoid(x);
    case Activation::quick_gelu: return x * sigmoid(1.702 * x);
    case Activation::gelu_fast: return gelu_tanh(0.7978845608);
    case Activation::gelu_10: return at_most(10, gelu());
    case Activation::relu2: return square(relu(x));
    case Activation::relu6: return at_most(6, relu(x));
    case Activation::leaky_relu: return where(x < 0.0, x / 100, x);
    case Activation::mish: return x * tanh(where(x > 40.0, x, log1p(exp(x))));
    case Activation::hardswish: return x * at_most(6, relu(x + 3.0)) / 6;
    case Activation::laplace: return 0.5 * erfc((0.707107 - x) / (0.282095 * std::sqrt(2.0)));
  }
  return x;
}

/// act'(x), where act has a kink, of the side that activated() computes.
Matrix slope_of(Activation activation, const Matrix& x) {
  const double pi = xt::numeric_constants<double>::PI;
  const auto sigmoid = [](const auto& z) { return 1.0 / (1.0 + exp(-z)); };
  const auto step = [](const auto& is) -> Matrix { return where(is, 1.0, 0.0); };
  const auto gelu = [&]() -> Matrix {
    return 0.5 * erfc(-x / std::sqrt(2.0)) + x * exp(-0.5 * square(x)) / std::sqrt(2 * pi);
  };
  const auto gelu_tanh = [&](double c) -> Matrix {
    const Matrix t = tanh(c * (x + 0.044715 * cube(x)));
    return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - square(t)) * c * (1.0 + 3 * 0.044715 * square(x));
  };
  const auto swish = [&](double c) -> Matrix {
    const Matrix s = sigmoid(c * x);
    return s + c * x * s * (1.0 - s);
  };
  switch (activation) {
    case Activation::none: break;
    case Activation::relu: return step(x > 0.0);
    case Activation::gelu: return gelu();
    case Activation::gelu_tanh: return gelu_tanh(std::sqrt(2 / pi));
    case Activation::gelu_fast: return gelu_tanh(0.7978845608);
    case Activation::silu: return swish(1);
    case Activation::quick_gelu: return swish(1.702);
    case Activation::tanh: return 1.0 - square(tanh(x));
    case Activation::sigmoid: return sigmoid(x) * (1.0 - sigmoid(x));
    case Activation::gelu_10: return where(activated(Activation::gelu, x) > 10.0, 0.0, gelu());
    case Activation::relu2: return where(x > 0.0, 2.0 * x, 0.0);
    case Activation::relu6: return step(x > 0.0 && x <= 6.0);
    case Activation::leaky_relu: return where(x < 0.0, 0.01, 1.0);
    case Activation::mish: {
      const Matrix t = tanh(where(x > 40.0, x, log1p(exp(x))));
      return t + x * (1.0 - square(t)) * sigmoid(x);
    }
    case Activation::hardswish: return (activated(Activation::relu6, x + 3.0) + x * step(x > -3.0 && x <= 3.0)) / 6;
    case Activation::laplace: return exp(-square((x - 0.707107) / 0.282095) / 2) / (0.282095 * std::sqrt(2 * pi));
  }
  return Matrix(x.shape(), 1.0);
}

bool linear(const double* x, const double* w, const double* b, std::size_t rows, std::size_t in, std::size_t out,
            Activation activation, double* y) noexcept try {
  Matrix sum = product(matrix(x, rows, in), w, out);
  if (b != nullptr) sum = sum + matrix(b, 1, out);
  return write(activated(activation, sum), y);
} catch (const std::bad_alloc&) {
  return false;
}

bool linear_vjp(const double* given, const double* w, const double* b, const double* dy, std::size_t rows,
                std::size_t in, std::size_t out, Activation activation, double* dx, double* dw, double* db) noexcept
    try {
  const Matrix x = matrix(given, rows, in);
  Matrix z = product(x, w, out);
  if (b != nullptr) z = z + matrix(b, 1, out);
  const Matrix dz = matrix(dy, rows, out) * slope_of(activation, z);
  return write(product(dz, transpose(matrix(w, out, in))), dx) && write(product(transpose(dz), transpose(x)), dw) &&
         write(sum_over(dz, 0), db);
} catch (const std::bad_alloc&) {
  return false;
}

/// In a type that holds the square of any double.
using WideMatrix = Array<long double, 2>;

WideMatrix mean_of(const WideMatrix& x) { return expand_dims(sum_over(x, 1), 1) / x.shape(1); }

bool norm(const NormParameters& parameters, const double* given, const double* weight, const double* bias,
          std::size_t rows, std::size_t n, double* y, double* mean, double* inverse_deviation) noexcept try {
  const WideMatrix x = matrix(given, rows, n);
  const WideMatrix mu = parameters.kind == NormKind::layer ? mean_of(x) : WideMatrix({rows, 1}, 0);
  const WideMatrix inverse = 1 / sqrt(mean_of(square(x - mu)) + parameters.epsilon);
  WideMatrix out = (x - mu) * inverse;
  if (weight != nullptr) out = out * matrix(weight, 1, n);
  if (bias != nullptr) out = out + matrix(bias, 1, n);
  return write(out, y) && write(mu, mean) && write(inverse, inverse_deviation);
} catch (const std::bad_alloc&) {
  return false;
}

bool norm_vjp(const NormParameters& parameters, const double* given, const double* weight, const double* cotangent,
              std::size_t rows, std::size_t n, double* dx, double* dweight, double* dbias) noexcept try {
  const bool is_layer = parameters.kind == NormKind::layer;
  const WideMatrix dy = matrix(cotangent, rows, n);
  WideMatrix centred = matrix(given, rows, n), g = dy;
  if (is_layer) centred -= mean_of(centred);
  if (weight != nullptr) g = g * matrix(weight, 1, n);
  const WideMatrix inverse = 1 / sqrt(mean_of(square(centred)) + parameters.epsilon), normal = centred * inverse;
  WideMatrix through = g - normal * mean_of(g * normal);
  if (is_layer) through -= mean_of(g);
  return write(through * inverse, dx) && write(sum_over(dy * normal, 0), dweight) && write(sum_over(dy, 0), dbias);
} catch (const std::bad_alloc&) {
  return false;
}

bool softmax(double* scores, std::size_t rows, std::size_t n, bool is_log) noexcept try {
  const Matrix s = matrix(scores, rows, n);
  const Booleans sees = not_equal(s, -infinity);
  const Matrix top = largest_of(s), e = where(sees, exp(s - top), 0.0), total = sum_of(e);
  if (is_log) return write(where(sees, s - top - log(total), -infinity), scores);
  return write(where(sees, e / total, 0.0), scores);
} catch (const std::bad_alloc&) {
  return false;
}

bool softmax_vjp(const double* scores, std::size_t rows, std::size_t n, bool is_log, double* cotangent) noexcept try {
  const Matrix s = matrix(scores, rows, n);
  const Booleans sees = not_equal(s, -infinity);
  const Matrix dy = where(sees, matrix(cotangent, rows, n), 0.0);
  const Matrix e = where(sees, exp(s - largest_of(s)), 0.0), p = where(sees, e / sum_of(e), 0.0);
  const Matrix ds = is_log ? dy - p * sum_of(dy) : p * (dy - sum_of(p * dy));
  return write(where(sees, ds, 0.0), cotangent);
} catch (const std::bad_alloc&) {
  return false;
}

bool sinusoids(const double* positions, std::size_t L, std::size_t d, double base, bool halves, double* table) noexcept
    try {
  Matrix column({1, d});
  std::iota(column.begin(), column.end(), 0.0);
  const double sines = static_cast<double>((d + 1) / 2);
  Matrix pair = map([](double i) { return std::floor(i / 2); }, column);
  Booleans is_sine = equal(2.0 * pair, column);
  if (halves) {
    is_sine = column < sines;
    pair = where(is_sine, column, column - sines);
  }
  const Matrix power = 2.0 * pair / static_cast<double>(d);
  const Matrix angle = matrix(positions, L, 1) / map([&](double x) { return std::pow(base, x); }, power);
  return write(where(is_sine, sin(angle), cos(angle)), table);
} catch (const std::bad_alloc&) {
  return false;
}

bool rotate(const double* given, const double* cosines, const double* sines, std::size_t L, std::size_t d,
            std::size_t pairs, bool interleaved, double* y) noexcept try {
  const Matrix x = matrix(given, L, d), cos_t = matrix(cosines, L, pairs), sin_t = matrix(sines, L, pairs);
  const std::size_t step = interleaved ? 2 : 1, half = interleaved ? 1 : pairs;
  const auto part = [&](auto& z, std::size_t first) {
    return xt::view(z, xt::all(), xt::range(first, first + step * pairs, step));
  };
  const Matrix a = part(x, 0), b = part(x, half);
  Matrix turned = x;
  part(turned, 0) = a * cos_t - b * sin_t;
  part(turned, half) = a * sin_t + b * cos_t;
  return write(turned, y);
} catch (const std::bad_alloc&) {
  return false;
}

bool relative_scores(const double* q, const double* u, const double* r, double scale, std::size_t L, std::size_t S,
                     std::size_t d, double* scores) noexcept try {
  if (L == 0 || S == 0) return true;
  const Matrix by_distance = scale * product(matrix(q, L, d) + matrix(u, 1, d), matrix(r, L + S - 1, d));
  Matrix by_key({L, S});
  for (std::size_t i = 0; i < L; ++i)
    for (std::size_t j = 0; j < S; ++j) by_key(i, j) = by_distance(i, L - 1 - i + j);
  return write(by_key, scores);
} catch (const std::bad_alloc&) {
  return false;
}

bool cross_entropy(const double* targets, std::size_t rows, std::size_t n, double* logits, double* loss) noexcept try {
  const Matrix x = matrix(logits, rows, n), g = matrix(targets, rows, n);
  const Matrix shifted = x - largest_of(x), log_p = shifted - log(sum_of(exp(shifted)));
  return write(-sum_of(where(g > 0.0, g * log_p, 0.0)), loss) && write(sum_of(g) * exp(log_p) - g, logits);
} catch (const std::bad_alloc&) {
  return false;
}

bool optimize(const OptimizerParameters& o, std::size_t step, double factor, const double* gradient, std::size_t n,
              double* parameter, double* first, double* second) noexcept try {
  const auto t = static_cast<double>(step);
  const Matrix g = factor * matrix(gradient, 1, n);
  Matrix p = matrix(parameter, 1, n);
  if (o.kind == OptimizerKind::sgd) {
    Matrix b = g + o.weight_decay * p;
    if (first != nullptr) b = b + o.momentum * matrix(first, 1, n);
    return write(p - o.learning_rate * b, parameter) && (first == nullptr || write(b, first));
  }
  const Matrix m = o.beta1 * matrix(first, 1, n) + (1 - o.beta1) * g;
  const Matrix v = o.beta2 * matrix(second, 1, n) + (1 - o.beta2) * square(g);
  const Matrix m_hat = m / (1 - std::pow(o.beta1, t)), v_hat = v / (1 - std::pow(o.beta2, t));
  p = (1 - o.learning_rate * o.weight_decay) * p - o.learning_rate * m_hat / (sqrt(v_hat) + o.epsilon);
  return write(p, parameter) && write(m, first) && write(v, second);
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace

extern "C" ATTN_API const LayerFunctions attn_reference_layers{linear,          linear_vjp,    norm,      norm_vjp,
                                                               softmax,         softmax_vjp,   sinusoids, rotate,
                                                               relative_scores, cross_entropy, optimize};

}  // namespace attn::reference
