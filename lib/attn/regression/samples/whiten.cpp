// A full bandwidth matrix H = L L^T: with z = L^-1 x the distance (q - x)^T H^-1 (q - x) is |z_q - z_x|^2.
#include <attn/core/error.hpp>
#include <attn/regression/windows/evaluation.hpp>

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

Whitened whiten(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                const Execution& execution) {
  const std::size_t n = samples.n, d = samples.d;
  if (smoother.causal)
    throw Error(ErrorKind::usage, "causal", "does not go with a bandwidth matrix, which mixes time with other columns",
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
