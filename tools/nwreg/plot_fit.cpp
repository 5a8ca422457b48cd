// The picture of samples, fit and confidence band.

#include "nwreg/plot.hpp"

#include "cli/numbers.hpp"

#include <attn/core/slab.hpp>
#include <attn/regression/confidence_band.hpp>

#include <algorithm>
#include <cmath>

namespace nwreg {
namespace {

using attn::TensorView;

// Points from the first sample or query to the last, dense enough for a smooth line.
attn::Tensor grid_over(const std::vector<double>& x, const std::optional<TensorView>& queries) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  double first = *low, last = *high;
  if (queries)
    for (const double q : cli::numbers_of(*queries))
      if (std::isfinite(q)) first = std::min(first, q), last = std::max(last, q);
  constexpr std::size_t points = 400;
  attn::Tensor grid(attn::DType::f64, {points});
  for (std::size_t i = 0; i < points; ++i)
    grid.data_as<double>()[i] = first + (last - first) * static_cast<double>(i) / (points - 1);
  return grid;
}

// The samples (x, column c of y); for a class only its members, since the others, at 0, would hide each other.
cli::Series samples_of_output(const std::vector<double>& x, const std::vector<double>& y, std::size_t c, bool is_class,
                              const std::string& label) {
  const std::size_t outputs = y.size() / x.size();
  cli::Series points;
  points.style = cli::Series::Style::points;
  points.label = label;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!is_class || y[i * outputs + c] > 0) points.x.push_back(x[i]), points.y.push_back(y[i * outputs + c]);
  return points;
}

// The values at the points of a grid or of the samples, (points, outputs), and the band of a fit, (points, outputs,
// lower and upper).
struct Curve {
  std::vector<double> places, fit, band;
};

Curve curve_over(const TensorView& grid, const PreparedSamples& data, const attn::KernelRegression& regression,
                 attn::Smoother smoother, double level, Shown shown, const attn::Execution& execution) {
  attn::RegressionRequest request;
  request.leave_one_out = shown.leave_one_out;
  request.derivative = shown.derivative;
  request.standard_error = !shown.derivative && !shown.leave_one_out;
  if (smoother.empty == attn::EmptyWindow::error) smoother.empty = attn::EmptyWindow::nan;
  smoother.method = attn::Method::automatic;  // the method of the options may lack standard errors
  const attn::RegressionResult result = shown.leave_one_out ? regression.evaluate(smoother, request, execution)
                                                            : regression.evaluate(grid, smoother, request, execution);
  const std::vector<double> places = cli::numbers_of(shown.leave_one_out ? data.samples.x : grid);
  if (shown.derivative)
    return {places, cli::numbers_of(data.scales ? data.scales->slopes(*result.derivative) : *result.derivative), {}};
  const TensorView mean = data.classes ? attn::class_probabilities(result.fit) : result.fit;
  if (shown.leave_one_out) return {places, cli::numbers_of(mean), {}};
  const TensorView band = attn::confidence_band(mean, *result.standard_error, level, data.classes.has_value());
  return {places, cli::numbers_of(mean), cli::numbers_of(band)};
}

// The band of column c, if there is one, and the fit on top of it.
std::vector<cli::Series> layers_of_output(const Curve& curve, std::size_t c, double level, Shown shown,
                                          const std::string& name) {
  const std::size_t outputs = curve.fit.size() / curve.places.size();
  cli::Series band, fit;
  band.style = cli::Series::Style::band;
  band.label = cli::to_text(100 * level) + " % band" + name;
  fit.label = (shown.derivative ? "derivative" : shown.leave_one_out ? "prediction" : "fit") + name;
  // Samples at one x have different leave-one-out predictions.
  if (shown.leave_one_out) fit.style = cli::Series::Style::points;
  band.x = fit.x = curve.places;
  for (std::size_t at = c; at < curve.fit.size(); at += outputs) {
    fit.y.push_back(curve.fit[at]);
    if (curve.band.empty()) continue;
    band.y.push_back(curve.band[2 * at]);
    band.upper.push_back(curve.band[2 * at + 1]);
  }
  std::vector<cli::Series> layers;
  const bool has_band = std::any_of(band.y.begin(), band.y.end(), [](double lower) { return std::isfinite(lower); });
  if (has_band) layers.push_back(std::move(band));
  layers.push_back(std::move(fit));
  return layers;
}

}  // namespace

void Plot::draw_fit(const PreparedSamples& data, const attn::KernelRegression& regression,
                    const attn::Smoother& smoother, double level, Shown shown, const cli::PictureOptions& picture,
                    cli::Session& session) const {
  const std::vector<double> x = cli::numbers_of(data.samples.x), y = cli::numbers_of(data.samples.y);
  const attn::Tensor grid = grid_over(x, data.queries);
  const Curve curve = curve_over(grid.view("grid"), data, regression, smoother, level, shown, session.execution());
  const std::vector<std::string> names = data.output_names();
  const std::size_t outputs = regression.outputs();
  std::vector<cli::Series> series;
  for (std::size_t c = 0; c < outputs; ++c) {
    const std::string name = names[c].empty() ? "" : " " + names[c];
    std::vector<cli::Series> layers = layers_of_output(curve, c, level, shown, name);
    if (!shown.derivative)  // derivatives have another scale
      layers.insert(layers.begin(), samples_of_output(x, y, c, data.classes.has_value(), "samples" + name));
    for (cli::Series& layer : layers) {
      if (outputs > 1) layer.colour = c;
      series.push_back(std::move(layer));
    }
  }
  cli::draw_graph(series, picture, session);
}

}  // namespace nwreg
