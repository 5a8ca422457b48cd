#include "cli/gradient_check.hpp"

#include "cli/report.hpp"
#include "cli/shared_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace cli {
namespace {

using attn::TensorView;

constexpr double step = 1e-6, tolerance = 1e-5;

TensorView in_f64(const TensorView& x) { return attn::is_floating(x.dtype) ? attn::cast(x, attn::DType::f64) : x; }

class MovedSource : public attn::Source {
 public:
  MovedSource(attn::Source& base, const GradientCheck& check) : base_(base), check_(check), infos_(base.tensors()) {
    for (attn::TensorInfo& info : infos_)
      if (attn::is_floating(info.dtype)) info.dtype = attn::DType::f64;
  }
  const std::string& label() const noexcept override { return base_.label(); }
  const std::vector<attn::TensorInfo>& tensors() const noexcept override { return infos_; }
  TensorView read(const std::string& name, const attn::Slab& part) override {
    return check_.moved(base_.read(name, part));
  }
  attn::Attributes attributes(const std::string& name) const override { return base_.attributes(name); }

 private:
  attn::Source& base_;
  const GradientCheck& check_;
  std::vector<attn::TensorInfo> infos_;
};

/// Uniform in -1 to 1, the same in each run.
TensorView random_like(const TensorView& x, std::mt19937_64& generator) {
  attn::Tensor y(attn::DType::f64, x.shape);
  for (std::size_t i = 0; i < y.size(); ++i)
    y.data_as<double>()[i] = static_cast<double>(generator() >> 11) * 0x1p-52 - 1;
  return y.view();
}

/// The sum of the products of finite elements.
double dot(const TensorView& a, const TensorView& b) {
  const TensorView x = in_f64(a), y = in_f64(b);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double product = x.contiguous_data<double>()[i] * y.contiguous_data<double>()[i];
    if (std::isfinite(product)) sum += product;
  }
  return sum;
}

TensorView times(const TensorView& x, double factor) {
  attn::Tensor y(attn::DType::f64, x.shape);
  const double* const from = x.contiguous_data<double>();
  std::transform(from, from + x.size(), y.data_as<double>(), [factor](double element) { return factor * element; });
  return y.view();
}

}  // namespace

TensorView GradientCheck::changed(const TensorView& tensor) const {
  const TensorView x = in_f64(tensor);
  if (x.size() != change_.size()) return x;
  const double *const from = x.contiguous_data<double>(), *const change = change_.contiguous_data<double>();
  scale_ = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::isfinite(from[i])) scale_ = std::max(scale_, std::abs(from[i]));
  if (scale_ == 0) scale_ = 1;
  attn::Tensor y(attn::DType::f64, x.shape);
  for (std::size_t i = 0; i < x.size(); ++i) y.data_as<double>()[i] = from[i] + scale_ * change[i];
  return y.view(tensor.name);
}

TensorView GradientCheck::moved(const TensorView& tensor) const {
  return moves_.empty() || tensor.name != moves_ ? in_f64(tensor) : changed(tensor);
}

TensorView GradientCheck::moved(const Input& input, const TensorView& tensor) const {
  const std::vector<std::string> names = slab_names(input, input.names);
  const auto is_input = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_input(moves_)) return changed(tensor);
  const bool has_gradient =
      std::any_of(gradients_.begin(), gradients_.end(), [&](const Gradient& g) { return is_input(g.moves()); });
  return has_gradient ? in_f64(tensor) : moved(tensor);
}

attn::Source& GradientCheck::moved(attn::Source& source) {
  std::unique_ptr<attn::Source>& known = sources_[&source];
  if (known == nullptr) known = std::make_unique<MovedSource>(source, *this);
  return *known;
}

std::optional<TensorView> GradientCheck::cotangent(const std::string& result) {
  const auto found = cotangents_.find(result);
  if (found == cotangents_.end()) return std::nullopt;
  used_.insert(result);
  return found->second;
}

void GradientCheck::keep(const std::vector<Result>& results) {
  results_.clear();
  for (const Result& result : results)
    if (attn::is_floating(result.dtype()))
      results_[result.name.empty() ? "y" : result.name] =
          result.producer ? attn::collect(*result.producer) : result.tensor;
}

double GradientCheck::product_with_results() const {
  double sum = 0;
  for (const std::string& name : used_) sum += dot(cotangents_.at(name), results_.at(name));
  return sum;
}

GradientCheck::Slopes GradientCheck::slopes(const std::function<void()>& run, const Gradient& gradient,
                                            const TensorView& u, double e) {
  moves_ = gradient.moves();
  double values[2];
  for (const int side : {0, 1}) {
    change_ = times(u, side == 0 ? -e : e);
    run();
    values[side] = product_with_results();
  }
  moves_.clear();
  return {(unmoved_ - values[0]) / (e * scale_), (values[1] - unmoved_) / (e * scale_)};
}

void GradientCheck::check(const std::function<void()>& run, std::size_t directions,
                          const std::function<void(const std::string&)>& print, Report& report) {
  std::mt19937_64 generator;
  run();
  report.hush();
  double size = 0;
  for (const auto& [name, result] : results_) cotangents_[name] = random_like(result, generator);
  is_backward_ = true;
  run();
  is_backward_ = false;
  for (const std::string& name : used_) size += std::sqrt(dot(results_.at(name), results_.at(name)));
  unmoved_ = product_with_results();
  for (const Gradient& gradient : gradients_) {
    double worst = 0;
    std::size_t kinks = 0;
    for (std::size_t i = 0; i < directions; ++i) {
      const TensorView u = random_like(gradient.value, generator);
      const Slopes found = slopes(run, gradient, u, step);
      const double expected = found.mean(), actual = dot(gradient.value, u);
      const double scale = std::max(
          {std::abs(expected), std::abs(actual), std::sqrt(dot(gradient.value, gradient.value)), tolerance * size});
      const double error = expected == actual ? 0 : std::abs(expected - actual) / scale;
      // The jump of a slope at a kink does not shrink with the step.
      if (error > tolerance && std::abs(found.jump()) > tolerance * scale &&
          std::abs(slopes(run, gradient, u, step / 8).jump()) > std::abs(found.jump()) / 2)
        ++kinks;
      else
        worst = std::max(worst, error);
    }
    char line[96];
    if (kinks == directions)
      std::snprintf(line, sizeof line, "not compared: all directions cross a kink");
    else if (kinks > 0)
      std::snprintf(line, sizeof line, "%.1e, without %zu of %zu directions, which cross a kink", worst, kinks,
                    directions);
    else
      std::snprintf(line, sizeof line, "%.1e", worst);
    print(gradient.name + "  " + line);
    if (!(worst <= tolerance)) report.say_no();
  }
}

}  // namespace cli
