#include <attn/regression/windows/evaluation.hpp>

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

// Rows of points (rows, d) times L^-T, measured from `middle` so that an offset costs no digits. Row i comes from point
// i and goes to row place(i).
template <class Place>
Tensor whiten(const Columns& points, const std::vector<double>& lower, const std::vector<double>& middle, Place place) {
  const std::size_t d = points.count();
  Tensor out(DType::f64, {points.rows(), d});
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double* z = out.data_as<double>() + place(i) * d;
    for (std::size_t j = 0; j < d; ++j) {
      double sum = points.column(j)[i] - middle[j];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[j * d + k] * z[k];
      z[j] = sum / lower[j * d + j];
    }
  }
  return out;
}

}  // namespace

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
  if (request.slope_error) make(slope_error_, slope_error_at_, by_coordinate);
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
  if (slope_error_at_ != nullptr) std::fill_n(slope_error_at_ + row * outputs_ * d_, outputs_ * d_, nan);
  if (error_at_ != nullptr) std::fill_n(error_at_ + row * outputs_, outputs_, nan);
  if (size_at_ != nullptr) size_at_[row] = std::isnan(value) ? value : 0;
  if (degree_at_ != nullptr) degree_at_[row] = 0;
  if (self_at_ != nullptr) self_at_[row] = 0;
}

bool ResultParts::wants_only_fit() const noexcept {
  return slope_at_ == nullptr && error_at_ == nullptr && slope_error_at_ == nullptr && size_at_ == nullptr &&
         degree_at_ == nullptr && self_at_ == nullptr;
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
  for (std::size_t i = 0; slope_error_at_ != nullptr && i < outputs_ * d_; ++i)
    slope_error_at_[row * outputs_ * d_ + i] = window.slope_error[i] * samples_.y_scale[i / d_];
  for (std::size_t c = 0; error_at_ != nullptr && c < outputs_; ++c)
    error_at_[row * outputs_ + c] = window.error[c] * samples_.y_scale[c];
  if (size_at_ != nullptr) size_at_[row] = window.effective_size;
  if (degree_at_ != nullptr) degree_at_[row] = static_cast<std::int64_t>(window.degree);
  if (self_at_ != nullptr) self_at_[row] = window.self_weight;
}

RegressionResult ResultParts::zeros() {
  for (Tensor* part : {&fit_, &slope_, &error_, &slope_error_, &size_, &degree_, &self_})
    if (part->size() > 0) *part = Tensor::zeros(part->dtype(), part->shape());
  return finish(Method::automatic, {});
}

RegressionResult ResultParts::finish(Method method, std::string reason) {
  RegressionResult result;
  result.fit = fit_.view("fit");
  if (slope_at_ != nullptr) result.derivative = slope_.view("derivative");
  if (error_at_ != nullptr) result.standard_error = error_.view("se");
  if (slope_error_at_ != nullptr) result.slope_error = slope_error_.view("se");
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

// A full bandwidth matrix H = L L^T: with z = L^-1 x the distance (q - x)^T H^-1 (q - x) is |z_q - z_x|^2.

Whitened whiten(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                const Execution& execution) {
  const std::size_t n = samples.n, d = samples.d;
  if (smoother.causal)
    throw Error(ErrorKind::usage, "causal", "does not go with a bandwidth matrix, which mixes time with other columns",
                "give one bandwidth for each column");
  if (!samples.periods.empty())
    throw Error(ErrorKind::usage, "period", "does not go with a bandwidth matrix, which mixes the columns",
                "give one bandwidth for each column");
  const std::vector<double> lower = cholesky(smoother.bandwidth.values, d);
  std::vector<double> middle(d);
  for (std::size_t j = 0; j < d; ++j) middle[j] = n > 0 ? samples.x.column(j)[n / 2] : 0;
  const auto original = [&](std::size_t i) { return static_cast<std::size_t>(samples.order[i]); };
  // The samples in the order of the caller, except x.
  Tensor y(DType::f64, samples.y_is_vector ? Shape{n} : Shape{n, samples.outputs}), weights(DType::f64, {n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < samples.outputs; ++c)
      y.data_as<double>()[original(i) * samples.outputs + c] = samples.y.column(c)[i] * samples.y_scale[c];
    weights.data_as<double>()[original(i)] = samples.weight() != nullptr ? samples.weight()[i] : 1;
  }
  Samples whitened{whiten(samples.x, lower, middle, original).view("x"), y.view("y"), std::nullopt};
  if (samples.weight() != nullptr) whitened.weights = weights.view("weights");
  Smoother same = smoother;
  same.bandwidth = Bandwidth::number(1);
  std::optional<TensorView> queries;
  if (points.samples == nullptr)
    queries = whiten(points.own, lower, middle, [&](std::size_t i) { return points.row(i); }).view("q");
  return {KernelRegression(whitened, execution), queries, same, lower};
}

RegressionResult evaluate_with_matrix(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                      const Smoother& smoother, const RegressionRequest& request,
                                      const Execution& execution) {
  if (request.slope_error)
    throw Error(ErrorKind::usage, "errors of slopes", "do not go with a bandwidth matrix",
                "give one bandwidth for each column");
  const std::size_t d = samples.d;
  const Whitened white = whiten(samples, points, smoother, execution);
  const std::vector<double>& lower = white.lower;
  RegressionResult result = white.queries
                                ? white.regression.evaluate(*white.queries, white.smoother, request, execution)
                                : white.regression.evaluate(white.smoother, request, execution);
  if (result.derivative) {
    // d/dx = L^-T d/dz.
    const TensorView& by_z = *result.derivative;
    Tensor by_x(DType::f64, by_z.shape);
    const double* from = by_z.contiguous_data<double>();
    double* to = by_x.data_as<double>();
    for (std::size_t row = 0; row < by_z.size() / d; ++row, from += d, to += d)
      for (std::size_t j = d; j-- > 0;) {
        double sum = from[j];
        for (std::size_t k = j + 1; k < d; ++k) sum -= lower[k * d + j] * to[k];
        to[j] = sum / lower[j * d + j];
      }
    result.derivative = by_x.view("derivative");
  }
  return result;
}

}  // namespace attn
