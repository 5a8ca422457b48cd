#include "nwreg/plot.hpp"

#include "cli/numbers.hpp"
#include "cli/plots/picture.hpp"
#include "nwreg/fits.hpp"
#include "nwreg/samples.hpp"

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/smoothing_kernel.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/dates.hpp>
#include <attn/regression/nadaraya_watson.hpp>
#include <attn/regression/weights.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace nwreg {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

constexpr std::size_t most_shown = 400;  // points of a curve, rows and columns of weights

/// Column j of a table.
std::vector<double> column_of(const std::vector<double>& table, std::size_t columns, std::size_t j) {
  std::vector<double> column;
  for (std::size_t at = j; at < table.size(); at += columns) column.push_back(table[at]);
  return column;
}

/// From the first of the samples or queries to the last; `columns` and j: those of the queries.
std::vector<double> range_over(const std::vector<double>& samples, const std::optional<attn::TensorView>& queries,
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

/// Places on a circle are drawn as they are if they are within one round, else in the first one.
struct Round {
  double start = 0, period = 0;  // no period: a line

  Round(const PreparedSamples& data, const std::vector<double>& x, std::size_t column) {
    if (data.samples.periods.empty() || x.empty()) return;
    period = data.samples.periods[column];
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    if (*high - *low <= period) start = *low;
  }
  std::vector<double> put(std::vector<double> x) const {
    for (double& at : x)
      if (period > 0) at -= period * std::floor((at - start) / period);
    return x;
  }
  /// Once round, from where the picture begins.
  std::vector<double> range(std::size_t points) const {
    std::vector<double> range;
    for (std::size_t i = 0; i < points; ++i)
      range.push_back(start + period * static_cast<double>(i) / static_cast<double>(points - 1));
    return range;
  }
};

/// Samples with the same categories; without categories, all.
struct Group {
  std::string name;
  std::vector<std::size_t> rows;
};

/// The groups of x (rows, columns): at most `most`, those with the most samples, in the order of their categories.
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

Curve curve_over(const TensorView& grid, const PreparedSamples& data, Fits fits, const BandOptions& options,
                 Shown shown, const attn::Execution& execution) {
  const attn::Smoother& first = fits.all.front().settled.smoother;
  const bool is_quantile = first.quantile.has_value(), is_share = first.family != attn::Family::gaussian;
  attn::RegressionRequest request;
  request.leave_one_out = shown.leave_one_out;
  request.derivative = shown.derivative;
  request.standard_error = !shown.derivative && !shown.leave_one_out && !is_quantile;
  for (Fit& fit : fits.all) {
    attn::Smoother& smoother = fit.settled.smoother;
    if (smoother.empty == attn::EmptyWindow::error) smoother.empty = attn::EmptyWindow::nan;
    smoother.method = attn::Method::automatic;  // the method of the options may lack standard errors
  }
  const attn::RegressionResult result = fits.join(
      fits.evaluate(shown.leave_one_out ? std::nullopt : std::optional<TensorView>(grid), request, execution));
  const std::vector<double> places =
      column_of(cli::numbers_of(shown.leave_one_out ? data.samples.x : grid), data.columns(), column_along(data));
  if (shown.derivative)
    return {places, cli::numbers_of(data.scales ? data.scales->slopes(*result.derivative) : *result.derivative), {}};
  const TensorView mean = data.classes ? attn::class_probabilities(result.fit) : result.fit;
  if (shown.leave_one_out || is_quantile) return {places, cli::numbers_of(mean), {}};
  const Band band = band_of(options, fits, grid, request, execution);
  return {places, cli::numbers_of(mean),
          cli::numbers_of(band.around(mean, *result.standard_error, data.classes || is_share))};
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
std::vector<cli::Series> layers_of_output(const Curve& curve, std::size_t c, const BandOptions& options, Shown shown,
                                          const std::string& name) {
  const std::size_t outputs = curve.fit.size() / curve.places.size();
  cli::Series band, fit;
  band.style = cli::Series::Style::band;
  const std::string kind =
      options.kind == attn::BandKind::pointwise ? "" : std::string(attn::name_of(options.kind)) + " ";
  band.label = cli::to_text(100 * options.level) + " % " + kind + "band" + name;
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

// Quantiles of the c-th column of y: bands between those equally far from the ends of the list, the widest first, and
// the one in the middle as a line.
std::vector<cli::Series> layers_of_fan(const Curve& curve, std::size_t c, const std::vector<double>& quantiles,
                                       const std::string& name) {
  const std::size_t count = quantiles.size(), outputs = curve.fit.size() / curve.places.size();
  const auto column = [&](std::size_t t) { return column_of(curve.fit, outputs, c * count + t); };
  std::vector<cli::Series> layers;
  for (std::size_t low = 0; 2 * low < count; ++low) {
    const std::size_t high = count - 1 - low;
    cli::Series layer;
    layer.style = low < high ? cli::Series::Style::band : cli::Series::Style::line;
    layer.label = (low < high ? "quantiles " + cli::to_text(quantiles[low]) + " to " : std::string("quantile ")) +
                  cli::to_text(quantiles[high]) + name;
    layer.x = curve.places;
    layer.y = column(low);
    if (low < high) layer.upper = column(high);
    layers.push_back(std::move(layer));
  }
  return layers;
}

// Up to `most` indices, spaced evenly in the sorted order of x.
std::vector<std::size_t> spread(const std::vector<double>& x, std::size_t most) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  if (order.size() <= most) return order;
  std::vector<std::size_t> picked(most);
  for (std::size_t i = 0; i < most; ++i) picked[i] = order[i * order.size() / most];
  return picked;
}

std::string four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string label_of(const PreparedSamples& data, std::size_t j) {
  return data.x_names.size() == 2 ? data.x_names[j] : "column " + std::to_string(j);
}

void draw_fit(const PreparedSamples& data, const Fits& fits, const BandOptions& band, Shown shown,
              const cli::PictureOptions& picture, cli::Session& session) {
  constexpr std::size_t most_groups = 7, points = 400;  // groups: as many as there are colours
  const std::vector<double> table = cli::numbers_of(data.samples.x), y = cli::numbers_of(data.samples.y);
  const std::size_t d = data.columns(), along = column_along(data), outputs = data.value_columns();
  const std::vector<double> given = column_of(table, d, along);
  const Round round(data, given, along);
  const std::vector<double> x = round.put(given);
  const std::vector<Group> groups = groups_of(data, table, most_groups);
  const auto curve_at = [&](const TensorView& grid) {
    return curve_over(grid, data, fits, band, shown, session.execution());
  };
  Curve at_samples = shown.leave_one_out ? curve_at({}) : Curve{};
  at_samples.places = round.put(at_samples.places);
  const std::vector<std::string> names = data.column_names();
  std::vector<double> quantiles;
  for (std::size_t t = 0; fits.quantiles > 1 && t < fits.quantiles; ++t)
    quantiles.push_back(*fits.all[t].settled.smoother.quantile);
  std::vector<cli::Series> series;
  std::size_t drawn = 0;
  for (const Group& group : groups) {
    Curve curve = at_samples;
    if (!shown.leave_one_out) {
      std::vector<double> places;
      for (const std::size_t i : group.rows) places.push_back(x[i]);
      const std::vector<double> range =
          round.period > 0 ? round.range(points) : range_over(places, data.queries, d, along, points);
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
      std::vector<cli::Series> layers =
          quantiles.empty() ? layers_of_output(curve, c, band, shown, name) : layers_of_fan(curve, c, quantiles, name);
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

/// For two columns of x.
void draw_surface(const PreparedSamples& data, const attn::KernelRegression& regression, attn::Smoother smoother,
                  const cli::PictureOptions& picture, cli::Session& session) {
  const std::size_t points = picture.file == "-" ? 24 : 80;
  const std::vector<double> table = cli::numbers_of(data.samples.x);
  cli::Surface surface;
  const auto along = [&](std::size_t j, std::vector<double>& samples) {
    samples = column_of(table, 2, j);
    const Round round(data, samples, j);
    samples = round.put(samples);
    return round.period > 0 ? round.range(points) : range_over(samples, data.queries, 2, j, points);
  };
  surface.x = along(0, surface.samples_x);
  surface.y = along(1, surface.samples_y);
  attn::Tensor grid(attn::DType::f64, {points * points, 2});
  for (std::size_t at = 0; at < points * points; ++at) {
    grid.data_as<double>()[2 * at] = surface.x[at % points];
    grid.data_as<double>()[2 * at + 1] = surface.y[at / points];
  }
  if (smoother.empty == attn::EmptyWindow::error) smoother.empty = attn::EmptyWindow::nan;
  surface.z = cli::numbers_of(regression.evaluate(grid.view("grid"), smoother, {}, session.execution()).fit);
  cli::draw_contours(surface, picture, session);
}

void draw_weights(const PreparedSamples& data, const Fits& fits, const cli::PictureOptions& picture,
                  cli::Session& session) {
  // Queries down, samples across, both sorted by the first coordinate; large sets are thinned.
  const auto first_column = [](const TensorView& table) {
    const std::vector<double> all = cli::numbers_of(table);
    const std::size_t width = table.rank() == 2 ? table.shape[1] : 1;
    std::vector<double> column;
    for (std::size_t i = 0; i < all.size(); i += width) column.push_back(all[i]);
    return column;
  };
  const TensorView& queries = data.queries ? *data.queries : data.samples.x;
  const std::vector<double> query_places = first_column(queries), sample_places = first_column(data.samples.x);
  const std::vector<std::size_t> rows = spread(query_places, most_shown), columns = spread(sample_places, most_shown);
  const TensorView shown = queries.rank() == 0 ? queries : attn::rows_of(queries, rows);
  const attn::TensorProducer producer = attn::dense_weights(fits.smoothed(), shown, false, session.execution());
  const std::size_t samples = fits.all.front().regression->size(), count = fits.all.size(), none = columns.size();
  std::vector<std::size_t> places(samples, none);  // column of each sample that is shown
  for (std::size_t c = 0; c < columns.size(); ++c) places[columns[c]] = c;
  cli::HeatMap map{"", rows.size(), columns.size(), std::vector<double>(rows.size() * columns.size()), {}, {}};
  const auto name = [&](double place) {
    return data.has_dates(0) ? attn::io::dates_of({place}).front() : four_digits(place);
  };
  for (const std::size_t row : rows) map.row_names.push_back(name(query_places[row]));
  for (const std::size_t column : columns) map.column_names.push_back(name(sample_places[column]));
  std::size_t seen = 0;
  std::vector<cli::HeatMap> maps(count, map);
  const std::vector<std::string> names = data.output_names();
  for (std::size_t c = 0; c < count && count > 1; ++c) maps[c].title = names[c];
  producer.produce([&](const void* bytes, std::size_t size) {
    const auto* weight = static_cast<const double*>(bytes);
    for (const double* const end = weight + size / sizeof(double); weight < end; ++weight, ++seen)
      if (const std::size_t place = places[seen / count % samples]; place != none)
        maps[seen % count].values[seen / count / samples * map.columns + place] = *weight;
  });
  // The weights for a NaN query are 0, since nothing was computed.
  for (cli::HeatMap& one : maps)
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (std::isnan(query_places[rows[r]]))
        std::fill_n(one.values.begin() + static_cast<std::ptrdiff_t>(r * map.columns), map.columns, NAN);
  cli::draw_heat_maps(maps, std::min<std::size_t>(count, 2), picture, session);
}

}  // namespace

void Plot::draw_kernels(const attn::Smoother& smoother, bool overwrite, cli::Session& session) const {
  const cli::PictureOptions picture{kernel_file, "", "(q - x) / h", "weight", size, overwrite};
  const bool draws_one = session.was_given("--kernel");
  double extent = 2.5;  // bandwidths
  for (const attn::Kernel kernel : attn::all_kernels())
    extent = std::max(extent, 1.1 * attn::kernel_scale(kernel, smoother.scale_convention));
  std::vector<cli::Series> series;
  for (const attn::Kernel kernel : attn::all_kernels()) {
    if (draws_one ? kernel != smoother.kernel : kernel == attn::Kernel::epanechnikov) continue;
    cli::Series s;
    s.label = std::string(attn::name_of(kernel)) +
              (kernel == attn::Kernel::triangular && !draws_one ? " (epanechnikov)" : "");
    const double scale = attn::kernel_scale(kernel, smoother.scale_convention);
    constexpr int steps = 500;
    for (int i = -steps; i <= steps; ++i) {
      s.x.push_back(extent * i / steps);
      s.y.push_back(attn::kernel_weight(kernel, std::abs(s.x.back() / scale)));
    }
    series.push_back(std::move(s));
  }
  cli::draw_graph(series, picture, session);
}

void add_plot_options(cli::Command& command, Plot& plot) {
  command.group("Pictures");
  command.changes(cli::Effect::nothing);
  command.option("--plot", plot.fit_file,
                 "FILE: draw samples, fit and confidence band; .png, .svg, .pdf or - for the terminal");
  command.option("--plot-weights", plot.weights_file, "FILE: draw the weights for each query as a heat map");
  command.option("--plot-kernel", plot.kernel_file, "FILE: draw the kernel of --kernel, or all kernels");
  command.option("--plot-size", plot.size, "SIZE: pixels or characters, such as 420x300");
  command.changes(cli::Effect::numbers);
}

void Plot::check(const PreparedSamples& data, Shown shown, bool overwrite) const {
  for (const std::string& file : {fit_file, weights_file, kernel_file})
    if (!file.empty()) cli::expect_picture({file, "", "", "", size, overwrite});
  if (fit_file.empty()) return;
  const std::size_t numbers = data.columns() - data.samples.categories.size(), outputs = data.output_names().size();
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorKind::usage, "--plot", why, "use tplot for what was computed");
  };
  if (numbers != 1 && (numbers != 2 || data.categories))
    refuse("draws one column of numbers, with or without categories, or two without, x has " + std::to_string(numbers));
  if ((numbers == 2 || data.categories) && outputs > 1)
    refuse("draws one column of y " + std::string(data.categories ? "by categories" : "over two columns of x") +
           (data.quantiles.size() > 1 ? ", and there are several quantiles" : ", y has " + std::to_string(outputs)));
  if (data.quantiles.size() > 1 && shown.leave_one_out)
    refuse("draws several quantiles as curves, and --loo predicts samples");
  if (numbers == 2 && (shown.derivative || shown.leave_one_out)) refuse("draws the fit alone over two columns of x");
  if (data.samples.x.shape[0] == 0) throw Error(ErrorKind::data, "--plot", "there are no samples to draw");
  const std::vector<double> table = cli::numbers_of(data.samples.x);
  for (std::size_t j = 0; numbers == 2 && j < 2; ++j) {
    bool is_constant = true;
    for (std::size_t at = j; at < table.size(); at += 2) is_constant = is_constant && table[at] == table[j];
    if (is_constant)
      throw Error(ErrorKind::data, "--plot",
                  "draws contours over two columns of x, and " + label_of(data, j) + " is constant", "drop the column");
  }
}

void Plot::draw(const PreparedSamples& data, const Fits& fits, const BandOptions& band, Shown shown, bool overwrite,
                cli::Session& session) const {
  const auto& [one, regression, settled] = fits.all.front();
  const std::string x_label = data.x_label + (data.scales ? " (standardized)" : "");
  const std::string y_label = data.classes                             ? "probability"
                              : data.value_names.size() > 1            ? ""
                              : shown.derivative && data.y_label != "" ? "derivative of " + data.y_label
                                                                       : data.y_label;
  if (!fit_file.empty() && data.columns() - data.samples.categories.size() == 2) {
    const auto label = [&](std::size_t j) { return label_of(data, j) + (data.scales ? " (standardized)" : ""); };
    cli::PictureOptions picture{fit_file, data.y_label, label(0), label(1), size, overwrite};
    picture.x_dates = data.has_dates(0);
    picture.y_dates = data.has_dates(1);
    draw_surface(data, *regression, settled.smoother, picture, session);
  } else if (!fit_file.empty()) {
    cli::PictureOptions picture{fit_file, "", x_label, y_label, size, overwrite};
    for (std::size_t j = 0; j < data.columns(); ++j) picture.x_dates |= !data.is_category(j) && data.has_dates(j);
    draw_fit(data, fits, band, shown, picture, session);
  }
  if (!weights_file.empty())
    draw_weights(data, fits, {weights_file, "", "samples by " + x_label, "queries by " + x_label, size, overwrite},
                 session);
  if (!kernel_file.empty()) draw_kernels(settled.smoother, overwrite, session);
}

}  // namespace nwreg
