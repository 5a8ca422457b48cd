// The picture of samples, fit and confidence band.

#include "nwreg/plot.hpp"

#include "cli/numbers.hpp"

#include <attn/core/slab.hpp>
#include <attn/regression/confidence_band.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace nwreg {
namespace {

using attn::TensorView;

// The column of x along the axis, and of two columns of numbers the second.
std::vector<std::size_t> number_columns(const PreparedSamples& data) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < data.columns(); ++j)
    if (!data.is_category(j)) columns.push_back(j);
  return columns;
}

std::vector<double> column_of(const std::vector<double>& table, std::size_t columns, std::size_t j) {
  std::vector<double> column;
  for (std::size_t at = j; at < table.size(); at += columns) column.push_back(table[at]);
  return column;
}

// From the first of the samples or queries to the last; `columns` and j: those of the queries.
std::vector<double> range_over(const std::vector<double>& samples, const std::optional<TensorView>& queries,
                               std::size_t columns, std::size_t j, std::size_t points) {
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  double first = *low, last = *high;
  if (queries)
    for (const double q : column_of(cli::numbers_of(*queries), columns, j))
      if (std::isfinite(q)) first = std::min(first, q), last = std::max(last, q);
  std::vector<double> range;
  for (std::size_t i = 0; i < points; ++i)
    range.push_back(first + (last - first) * static_cast<double>(i) / static_cast<double>(points - 1));
  return range;
}

// Samples with the same categories; without categories, all.
struct Group {
  std::string name;
  std::vector<std::size_t> rows;
};

// At most `most` groups, those with the most samples, in the order of their categories.
std::vector<Group> groups_of(const PreparedSamples& data, const std::vector<double>& x, std::size_t most) {
  const std::size_t d = data.columns();
  std::map<std::vector<double>, Group> by_codes;
  for (std::size_t i = 0; i < x.size() / d; ++i) {
    std::vector<double> codes;
    for (const attn::Category& category : data.samples.categories) codes.push_back(x[i * d + category.column]);
    by_codes[codes].rows.push_back(i);
  }
  std::vector<std::size_t> sizes;
  for (const auto& [codes, group] : by_codes) sizes.push_back(group.rows.size());
  std::sort(sizes.rbegin(), sizes.rend());
  const std::size_t fewest = sizes[std::min(sizes.size(), most) - 1];
  std::vector<Group> groups;
  for (auto& [codes, group] : by_codes) {
    if (group.rows.size() < fewest || groups.size() == most) continue;
    for (std::size_t f = 0; f < codes.size(); ++f)
      group.name += (f > 0 ? ", " : "") + data.categories->level(f, codes[f]);
    groups.push_back(std::move(group));
  }
  return groups;
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
  const std::vector<double> places = column_of(cli::numbers_of(shown.leave_one_out ? data.samples.x : grid),
                                               data.columns(), number_columns(data).front());
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
  const std::size_t d = data.columns(), along = number_columns(data).front(), outputs = regression.outputs();
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

void Plot::draw_surface(const PreparedSamples& data, const attn::KernelRegression& regression, attn::Smoother smoother,
                        const cli::PictureOptions& picture, cli::Session& session) const {
  const std::size_t points = picture.file == "-" ? 24 : 80;
  const std::vector<double> table = cli::numbers_of(data.samples.x);
  cli::Surface surface;
  surface.samples_x = column_of(table, 2, 0);
  surface.samples_y = column_of(table, 2, 1);
  surface.x = range_over(surface.samples_x, data.queries, 2, 0, points);
  surface.y = range_over(surface.samples_y, data.queries, 2, 1, points);
  attn::Tensor grid(attn::DType::f64, {points * points, 2});
  for (std::size_t at = 0; at < points * points; ++at) {
    grid.data_as<double>()[2 * at] = surface.x[at % points];
    grid.data_as<double>()[2 * at + 1] = surface.y[at / points];
  }
  if (smoother.empty == attn::EmptyWindow::error) smoother.empty = attn::EmptyWindow::nan;
  surface.z = cli::numbers_of(regression.evaluate(grid.view("grid"), smoother, {}, session.execution()).fit);
  cli::draw_contours(surface, picture, session);
}

}  // namespace nwreg
