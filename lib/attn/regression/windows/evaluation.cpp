#include <attn/core/error.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

ResultParts::ResultParts(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                         const RegressionRequest& request)
    : samples_(samples),
      points_(points),
      smoother_(smoother),
      request_(request),
      outputs_(samples.outputs),
      d_(samples.d) {
  const std::size_t m = std::min(request.last, points.count()) - request.first;
  const Shape each = samples.y_is_vector ? Shape{m} : Shape{m, outputs_};
  Shape by_coordinate = each;
  by_coordinate.push_back(d_);
  const auto make = [](Tensor& tensor, double*& first, const Shape& shape) {
    tensor = Tensor(DType::f64, shape);
    first = static_cast<double*>(tensor.data());
  };
  make(fit_, fit_at_, each);
  if (request.derivative) make(slope_, slope_at_, by_coordinate);
  if (request.standard_error) make(error_, error_at_, each);
  if (request.effective_size) make(size_, size_at_, {m});
  if (request.self_weight) make(self_, self_at_, {m});
  if (request.local_degree) {
    degree_ = Tensor(DType::i64, {m});
    degree_at_ = degree_.data_as<std::int64_t>();
  }
}

void ResultParts::fill(std::size_t row, double value) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill_n(fit_at_ + row * outputs_, outputs_, value);
  if (slope_at_ != nullptr) std::fill_n(slope_at_ + row * outputs_ * d_, outputs_ * d_, nan);
  if (error_at_ != nullptr) std::fill_n(error_at_ + row * outputs_, outputs_, nan);
  if (size_at_ != nullptr) size_at_[row] = std::isnan(value) ? value : 0;
  if (degree_at_ != nullptr) degree_at_[row] = 0;
  if (self_at_ != nullptr) self_at_[row] = 0;
}

bool ResultParts::wants_only_fit() const noexcept {
  return slope_at_ == nullptr && error_at_ == nullptr && size_at_ == nullptr && degree_at_ == nullptr &&
         self_at_ == nullptr;
}

void ResultParts::store_quotient(std::size_t point, const double* sums, double weight) noexcept {
  double* fit = fit_at_ + (points_.row(point) - request_.first) * outputs_;
  for (std::size_t c = 0; c < outputs_; ++c) fit[c] = samples_.within(c, sums[c] / weight) * samples_.y_scale[c];
}

void ResultParts::store_nan(std::size_t point) {
  ++not_finite_;
  fill(points_.row(point) - request_.first, std::numeric_limits<double>::quiet_NaN());
}

void ResultParts::store(std::size_t point, const WindowFit& window) {
  const std::size_t row = points_.row(point) - request_.first;
  if (window.empty) {
    ++empty_;
    if (smoother_.empty == EmptyWindow::error)
      throw Error(ErrorKind::data, "query " + std::to_string(points_.row(point)), "has no sample in reach",
                  "take a larger bandwidth or another rule for empty windows");
    if (smoother_.empty != EmptyWindow::nearest || window.fit.empty())
      return fill(row, smoother_.empty == EmptyWindow::zero ? 0 : std::numeric_limits<double>::quiet_NaN());
  }
  double* fit = fit_at_ + row * outputs_;
  for (std::size_t c = 0; c < outputs_; ++c) {
    fit[c] = window.fit[c];
    if (window.degree == 0 && !std::isnan(fit[c])) fit[c] = samples_.within(c, fit[c]);
    fit[c] *= samples_.y_scale[c];
  }
  if (window.degree < smoother_.degree) ++lowered_;
  for (std::size_t i = 0; slope_at_ != nullptr && i < outputs_ * d_; ++i)
    slope_at_[row * outputs_ * d_ + i] = window.slope[i] * samples_.y_scale[i / d_];
  for (std::size_t c = 0; error_at_ != nullptr && c < outputs_; ++c)
    error_at_[row * outputs_ + c] = window.error[c] * samples_.y_scale[c];
  if (size_at_ != nullptr) size_at_[row] = window.effective_size;
  if (degree_at_ != nullptr) degree_at_[row] = static_cast<std::int64_t>(window.degree);
  if (self_at_ != nullptr) self_at_[row] = window.self_weight;
}

RegressionResult ResultParts::zeros() {
  for (Tensor* part : {&fit_, &slope_, &error_, &size_, &degree_, &self_})
    if (part->size() > 0) *part = Tensor::zeros(part->dtype(), part->shape());
  return finish(Method::automatic, {});
}

RegressionResult ResultParts::finish(Method method, std::string reason) {
  RegressionResult result;
  result.fit = fit_.view("fit");
  if (slope_at_ != nullptr) result.derivative = slope_.view("derivative");
  if (error_at_ != nullptr) result.standard_error = error_.view("se");
  if (size_at_ != nullptr) result.effective_size = size_.view("neff");
  if (degree_at_ != nullptr) result.local_degree = degree_.view("degree");
  if (self_at_ != nullptr) result.self_weight = self_.view("self-weight");
  result.not_finite = not_finite_;
  result.empty_windows = empty_;
  result.lowered_degrees = lowered_;
  result.method = method;
  result.reason = std::move(reason);
  return result;
}

}  // namespace attn
