#include <attn/core/error.hpp>
#include <attn/regression/evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

ResultParts::ResultParts(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                         const RegressionRequest& request)
    : samples_(samples),
      points_(points),
      smoother_(smoother),
      outputs_(samples.outputs),
      d_(samples.d),
      has_slope_(request.derivative),
      has_error_(request.standard_error),
      has_size_(request.effective_size),
      has_degree_(request.local_degree),
      has_self_(request.self_weight) {
  const std::size_t m = points.count();
  const Shape each = samples.y_is_vector ? Shape{m} : Shape{m, outputs_};
  Shape by_coordinate = each;
  by_coordinate.push_back(d_);
  fit_ = Tensor(DType::f64, each);
  if (has_slope_) slope_ = Tensor(DType::f64, by_coordinate);
  if (has_error_) error_ = Tensor(DType::f64, each);
  if (has_size_) size_ = Tensor(DType::f64, {m});
  if (has_degree_) degree_ = Tensor(DType::i64, {m});
  if (has_self_) self_ = Tensor(DType::f64, {m});
}

void ResultParts::fill(std::size_t row, double value) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill_n(fit_.data_as<double>() + row * outputs_, outputs_, value);
  if (has_slope_) std::fill_n(slope_.data_as<double>() + row * outputs_ * d_, outputs_ * d_, nan);
  if (has_error_) std::fill_n(error_.data_as<double>() + row * outputs_, outputs_, nan);
  if (has_size_) size_.data_as<double>()[row] = std::isnan(value) ? value : 0;
  if (has_degree_) degree_.data_as<std::int64_t>()[row] = 0;
  if (has_self_) self_.data_as<double>()[row] = 0;
}

void ResultParts::store_nan(std::size_t point) { fill(points_.row(point), std::numeric_limits<double>::quiet_NaN()); }

void ResultParts::store(std::size_t point, const WindowFit& window) {
  const std::size_t row = points_.row(point);
  if (window.empty) {
    ++empty_;
    if (smoother_.empty == EmptyWindow::error)
      throw Error(ErrorKind::data, "query " + std::to_string(row), "has no key in reach",
                  "take a larger bandwidth or another ruling for empty windows");
    if (smoother_.empty != EmptyWindow::nearest || window.fit.empty())
      return fill(row, smoother_.empty == EmptyWindow::zero ? 0 : std::numeric_limits<double>::quiet_NaN());
  }
  double* fit = fit_.data_as<double>() + row * outputs_;
  for (std::size_t c = 0; c < outputs_; ++c) {
    fit[c] = window.fit[c];
    // A weighted mean lies among the values it is of; rounding must not carry it out.
    if (window.degree == 0 && !std::isnan(fit[c]))
      fit[c] = std::min(std::max(fit[c], samples_.y_low[c]), samples_.y_high[c]);
  }
  if (window.degree < smoother_.degree) ++lowered_;
  if (has_slope_) std::copy(window.slope.begin(), window.slope.end(), slope_.data_as<double>() + row * outputs_ * d_);
  if (has_error_) std::copy(window.error.begin(), window.error.end(), error_.data_as<double>() + row * outputs_);
  if (has_size_) size_.data_as<double>()[row] = window.effective_size;
  if (has_degree_) degree_.data_as<std::int64_t>()[row] = static_cast<std::int64_t>(window.degree);
  if (has_self_) self_.data_as<double>()[row] = window.self_weight;
}

RegressionResult ResultParts::finish(Method method, std::string reason) {
  RegressionResult result;
  result.fit = fit_.view("fit");
  if (has_slope_) result.derivative = slope_.view("derivative");
  if (has_error_) result.standard_error = error_.view("se");
  if (has_size_) result.effective_size = size_.view("neff");
  if (has_degree_) result.local_degree = degree_.view("degree");
  if (has_self_) result.self_weight = self_.view("self-weight");
  result.empty_windows = empty_;
  result.lowered_degrees = lowered_;
  result.method = method;
  result.reason = std::move(reason);
  return result;
}

}  // namespace attn
