#include <attn/layers/loss.hpp>

#include <attn/core/module.hpp>
#include <attn/layers/inner/reference_module.hpp>
#include <attn/simd/elementwise.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace attn {
namespace {

/// x of n classes in f64 becomes the gradient of -sum_c g_c log softmax(x)_c, which is returned.
double cross_entropy_of_row(double* x, const double* g, std::size_t n, const Execution& execution) {
  if (execution.engine == Engine::reference) {
    double loss = 0;
    expect_memory(reference::layer_functions().cross_entropy(g, 1, n, x, &loss));
    return loss;
  }
  const double top = *std::max_element(x, x + n);
  std::vector<double> p(n);
  for (std::size_t c = 0; c < n; ++c) p[c] = x[c] - top;
  double loss = 0, targets = 0;
  for (std::size_t c = 0; c < n; ++c)
    if (g[c] != 0) {
      loss -= g[c] * p[c];
      targets += g[c];
    }
  simd::math_kernels<double>(execution.isa).exp(p.data(), p.data(), n);
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  for (std::size_t c = 0; c < n; ++c) x[c] = targets * (p[c] / total) - g[c];
  return loss + targets * std::log(total);
}

/// The loss of one element, and its gradient by x.
std::pair<double, double> loss_of_element(const LossParameters& p, double x, double t) {
  const double d = x - t;
  switch (p.kind) {
    case LossKind::binary_cross_entropy:
      return {std::max(x, 0.0) - x * t + std::log1p(std::exp(-std::abs(x))),
              (x > 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x))) - t};
    case LossKind::huber:
      if (std::abs(d) <= p.delta) return {d * d / 2, d};
      return {p.delta * (std::abs(d) - p.delta / 2), std::copysign(p.delta, d)};
    case LossKind::squared:
    case LossKind::cross_entropy: break;
  }
  return {d * d, 2 * d};
}

/// What the labels weigh: w_t, and 0 for those that do not count.
std::vector<double> weights_of(const std::vector<std::int64_t>& labels, const std::vector<double>& class_weights,
                               const TensorView& target, std::int64_t ignored) {
  std::vector<double> weights(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == ignored) continue;
    if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= class_weights.size())
      throw Error(ErrorKind::data, target.name,
                  "element " + std::to_string(i) + " is label " + std::to_string(labels[i]) + ", expected 0 to " +
                      std::to_string(class_weights.size() - 1) + " or " + std::to_string(ignored));
    weights[i] = class_weights[static_cast<std::size_t>(labels[i])];
  }
  return weights;
}

std::string text_of(double number) {
  constexpr int digits = 6;
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number, std::chars_format::general, digits).ptr};
}

/// Throws Error(data) for targets (..., n) that are no probabilities: elements from 0 to 1, that add up to 1 where they
/// are of several classes, but for their rounding.
void expect_probabilities(const TensorView& target, std::size_t n, bool add_up) {
  constexpr double rounding = 0.01;  // of many classes in 16 bits
  const auto* const t = target.contiguous_data<double>();
  for (std::size_t row = 0; row < target.size() / n; ++row) {
    double sum = 0;
    for (std::size_t at = row * n; at < (row + 1) * n; sum += t[at++])
      if (!(t[at] >= 0 && t[at] <= 1 + rounding))
        throw Error(ErrorKind::data, target.name,
                    "element " + std::to_string(at) + " is " + text_of(t[at]) + ", expected a probability from 0 to 1");
    if (add_up && std::abs(sum - 1) > rounding)
      throw Error(ErrorKind::data, target.name,
                  "row " + std::to_string(row) + " adds up to " + text_of(sum) +
                      ", expected probabilities of the classes, which add up to 1",
                  "classes are the last axis; for several labels of a row, give --kind bce");
  }
}

/// The remedy for targets of another shape than `expected`.
std::string shape_hint(const TensorView& x, const Shape& target, const Shape& expected) {
  Shape others = x.shape;
  if (others.size() > 2) others.erase(others.begin() + 1);
  if (others.size() >= 2 && others.size() < x.rank() && target == others) {
    std::string axes = "0";
    for (std::size_t axis = 2; axis < x.rank(); ++axis) axes += "," + std::to_string(axis);
    return "classes are the last axis, not the second: tconv --axes " + axes + ",1 moves them";
  }
  Shape column = expected;
  column.push_back(1);
  if (target == column) return "drop its last axis, as in FILE[" + std::string(expected.empty() ? "" : "...,") + "0]";
  return {};
}

void expect_parameters(const LossParameters& p, bool has_class_weights) {
  if (!(p.label_smoothing >= 0 && p.label_smoothing <= 1))
    throw Error(ErrorKind::usage, "label smoothing", "must be from 0 to 1");
  if (!(p.delta > 0)) throw Error(ErrorKind::usage, "delta", "must be above 0");
  if (p.kind == LossKind::cross_entropy) return;
  if (has_class_weights) throw Error(ErrorKind::usage, "class weights", "are for cross-entropy");
  if (p.label_smoothing != 0) throw Error(ErrorKind::usage, "label smoothing", "is for cross-entropy");
}

/// The result; `total` is what a mean divides by.
LossResult reduced(const std::vector<double>& losses, double total, const TensorView& gradient, const Shape& rows,
                   const LossParameters& p) {
  const DType compute = gradient.dtype;
  const bool keeps = p.reduction == Reduction::none;
  Tensor value(DType::f64, keeps ? rows : Shape{});
  if (keeps)
    std::copy(losses.begin(), losses.end(), value.data_as<double>());
  else
    *value.data_as<double>() =
        std::accumulate(losses.begin(), losses.end(), 0.0) / (p.reduction == Reduction::mean ? total : 1);
  return {cast(value.view("loss"), compute), gradient};
}

}  // namespace

bool are_probabilities(const TensorView& x, const TensorView& target, LossKind kind) {
  // Integers of one axis are labels of several rows that lack their logits.
  const bool may_be = x.rank() > 1 || (x.rank() == 1 && is_floating(target.dtype));
  return kind == LossKind::cross_entropy && may_be && target.shape == x.shape;
}

LossResult loss(const TensorView& x, const TensorView& target, const std::optional<TensorView>& class_weights,
                const LossParameters& p, const Execution& execution) {
  expect_parameters(p, class_weights.has_value());
  const bool has_classes = p.kind == LossKind::cross_entropy;
  const std::size_t n = has_classes && x.rank() > 0 ? x.shape.back() : 1;
  const Shape expected = has_classes && x.rank() > 0 ? Shape(x.shape.begin(), x.shape.end() - 1) : x.shape;
  const bool has_shares = are_probabilities(x, target, p.kind);
  if ((target.shape != expected && !has_shares) || (has_classes && (x.rank() == 0 || n == 0)))
    throw shape_error(target.name, target.shape,
                      has_classes ? "labels " + to_string(expected) + " = the rows of " + x.name +
                                        ", or probabilities " + to_string(x.shape)
                                  : to_string(expected) + " = the shape of " + x.name,
                      has_classes ? shape_hint(x, target.shape, expected) : "");
  if (class_weights && class_weights->shape != Shape{n})
    throw shape_error(class_weights->name, class_weights->shape, to_string(Shape{n}) + " = the classes of " + x.name);

  const std::size_t rows = element_count(expected);
  std::vector<std::int64_t> labels;
  std::vector<double> of_classes(n, 1.0), weights;
  double total = static_cast<double>(rows);
  if (has_classes) {
    if (class_weights) {
      const TensorView wide = cast(*class_weights, DType::f64);
      std::copy_n(wide.contiguous_data<double>(), n, of_classes.begin());
    }
  }
  const bool has_labels = has_classes && !has_shares;
  const TensorView targets = has_labels ? target : cast(target, DType::f64);
  if (has_labels) {
    labels = to_integers(target);
    weights = weights_of(labels, of_classes, target, p.ignored_label);
    total = std::accumulate(weights.begin(), weights.end(), 0.0);
  } else if (has_shares || p.kind == LossKind::binary_cross_entropy) {
    expect_probabilities(targets, n, has_shares);
  }
  if (p.total != 0) total = p.total;
  if (total == 0 && p.reduction == Reduction::mean)
    throw Error(ErrorKind::data, target.name, "has no label that counts, so there is no mean", "give --reduction sum");
  const double factor = p.reduction == Reduction::mean ? 1 / total : 1;

  const DType compute = compute_dtype(x.dtype);
  const TensorView wide = cast(cast(x, compute), DType::f64);
  Tensor gradient = Tensor::zeros(compute, x.shape);
  std::vector<double> losses(rows);
  if (!execution.only_counts(8 * static_cast<double>(x.size())))
    visit_compute_dtype(compute, [&](auto element) {
      using T = decltype(element);
      T* const out = gradient.data_as<T>();
      const double* const in = wide.contiguous_data<double>();
      constexpr std::size_t elements = 4096;
      const std::size_t block = std::max<std::size_t>(elements / n, 1);
      execution.parallel_with_progress((rows + block - 1) / block, [&](std::size_t task, std::size_t) {
        std::vector<double> row(n), g(n);
        for (std::size_t i = task * block; i < std::min(rows, (task + 1) * block); ++i) {
          std::copy_n(in + i * n, n, row.begin());
          if (!has_classes) {
            std::tie(losses[i], row[0]) = loss_of_element(p, row[0], targets.contiguous_data<double>()[i]);
          } else if (has_shares || labels[i] != p.ignored_label) {
            const double spread = p.label_smoothing / static_cast<double>(n);
            std::transform(of_classes.begin(), of_classes.end(), g.begin(), [&](double w) { return spread * w; });
            if (has_labels) g[static_cast<std::size_t>(labels[i])] += (1 - p.label_smoothing) * weights[i];
            for (std::size_t c = 0; has_shares && c < n; ++c)
              g[c] += (1 - p.label_smoothing) * (of_classes[c] * targets.contiguous_data<double>()[i * n + c]);
            losses[i] = cross_entropy_of_row(row.data(), g.data(), n, execution);
          } else {
            continue;
          }
          for (std::size_t c = 0; c < n; ++c) out[i * n + c] = static_cast<T>(factor * row[c]);
        }
      });
    });
  return reduced(losses, total, gradient.view(x.name), expected, p);
}

}  // namespace attn
