// The picture of samples, fit and confidence band.

#include "cli/numbers.hpp"
#include "nwreg/groups.hpp"
#include "nwreg/plot.hpp"
#include "nwreg/plot_places.hpp"

#include <attn/regression/nadaraya_watson.hpp>

#include <algorithm>
#include <cmath>

namespace nwreg {
namespace {

using attn::TensorView;

// The column of x along the axis: the first of numbers.
std::size_t column_along(const PreparedSamples& data) {
  std::size_t j = 0;
  while (data.is_category(j)) ++j;
  return j;
}

// The samples (x, column c of y); for a class only its members, since the others, at 0, would hide each other.
cli::Series samples_of_output(const std::vector<double>& x, const std::vector<double>& y, std::size_t c,
                              const std::vector<std::size_t>& rows, bool is_class, const std::string& label) {
  const std::size_t outputs = y.size() / x.size();
  cli::Series points;
  points.style = cli::Series::Style::points;
  points.label = label;
  for (const std::size_t i : rows)
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
  const std::vector<double> places =
      column_of(cli::numbers_of(shown.leave_one_out ? data.samples.x : grid), data.columns(), column_along(data));
  if (shown.derivative)
    return {places, cli::numbers_of(data.scales ? data.scales->slopes(*result.derivative) : *result.derivative), {}};
  const TensorView mean = data.classes ? attn::class_probabilities(result.fit) : result.fit;
  if (shown.leave_one_out) return {places, cli::numbers_of(mean), {}};
  const TensorView band = attn::confidence_band(mean, *result.standard_error, level, data.classes.has_value());
  return {places, cli::numbers_of(mean), cli::numbers_of(band)};
}

// The curve at these of its places.
Curve rows_of(const Curve& curve, const std::vector<std::size_t>& rows) {
  Curve part;
  const std::size_t outputs = curve.fit.size() / curve.places.size();
  for (const std::size_t i : rows) {
    part.places.push_back(curve.places[i]);
    for (std::size_t c = 0; c < outputs; ++c) part.fit.push_back(curve.fit[i * outputs + c]);
  }
  return part;
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
  constexpr std::size_t most_groups = 7, points = 400;  // groups: as many as there are colours
  const std::vector<double> table = cli::numbers_of(data.samples.x), y = cli::numbers_of(data.samples.y);
  const std::size_t d = data.columns(), along = column_along(data), outputs = regression.outputs();
  const std::vector<double> x = column_of(table, d, along);
  const std::vector<Group> groups = groups_of(data, table, most_groups);
  const auto curve_at = [&](const TensorView& grid) {
    return curve_over(grid, data, regression, smoother, level, shown, session.execution());
  };
  const Curve at_samples = shown.leave_one_out ? curve_at({}) : Curve{};
  const std::vector<std::string> names = data.output_names();
  std::vector<cli::Series> series;
  std::size_t drawn = 0;
  for (const Group& group : groups) {
    Curve curve = at_samples;
    if (!shown.leave_one_out) {
      std::vector<double> places;
      for (const std::size_t i : group.rows) places.push_back(x[i]);
      const std::vector<double> range = range_over(places, data.queries, d, along, points);
      attn::Tensor grid(attn::DType::f64, d == 1 ? attn::Shape{points} : attn::Shape{points, d});
      for (std::size_t i = 0; i < points; ++i)
        for (std::size_t j = 0; j < d; ++j)
          grid.data_as<double>()[i * d + j] = j == along ? range[i] : table[group.rows.front() * d + j];
      curve = curve_at(grid.view("grid"));
    } else if (groups.size() > 1) {
      curve = rows_of(at_samples, group.rows);
    }
    for (std::size_t c = 0; c < outputs; ++c) {
      const std::string& own = data.categories ? group.name : names[c];
      const std::string name = own.empty() ? "" : " " + own;
      std::vector<cli::Series> layers = layers_of_output(curve, c, level, shown, name);
      if (!shown.derivative)  // derivatives have another scale
        layers.insert(layers.begin(),
                      samples_of_output(x, y, c, group.rows, data.classes.has_value(), "samples" + name));
      for (cli::Series& layer : layers) {
        if (data.categories && &layer != &layers.back()) layer.label.clear();  // the colour tells
        if (groups.size() * outputs > 1)
          layer.colour = data.categories ? static_cast<std::size_t>(&group - groups.data()) : c;
        layer.has_crosses = shown.leave_one_out && layer.colour && &layer == &layers.back();
        series.push_back(std::move(layer));
      }
    }
    drawn += group.rows.size();
  }
  if (drawn < x.size())
    session.report.note("the picture shows the " + std::to_string(groups.size()) + " largest groups, " +
                        std::to_string(drawn) + " of " + std::to_string(x.size()) + " samples");
  cli::draw_graph(series, picture, session);
}

}  // namespace nwreg
