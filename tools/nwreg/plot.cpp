#include "nwreg/plot.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>
#include <attn/core/slab.hpp>
#include <attn/regression/weights.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace nwreg {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

// Up to `most` places, picked evenly along the sorted order of x.
std::vector<std::size_t> spread(const std::vector<double>& x, std::size_t most) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  if (order.size() <= most) return order;
  std::vector<std::size_t> picked(most);
  for (std::size_t i = 0; i < most; ++i) picked[i] = order[i * order.size() / most];
  return picked;
}

// Places from the first sample or query to the last, close enough for a line through them to look smooth.
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

// The samples (x, column c of y); of a class those that belong to it, as the others, at 0, would hide each other.
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

std::string last_part(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? name : name.substr(slash + 1);
}

}  // namespace

void add_plot_options(cli::Command& command, Plot& plot) {
  command.group("Pictures");
  command.option("--plot", plot.fit_file,
                 "FILE: draw samples, fit and confidence band; .png, .svg, .pdf or - for the terminal");
  command.option("--plot-weights", plot.weights_file, "FILE: draw the weights of the samples for each query");
  command.option("--plot-kernel", plot.kernel_file, "FILE: draw the kernels");
  command.option("--plot-size", plot.size, "SIZE: of pictures, 800x500 pixels or, on the terminal, characters");
}

bool Plot::draw_kernels(const SampleOptions& samples, const attn::Smoother& smoother, bool overwrite,
                        cli::Session& session) const {
  if (kernel_file.empty()) return false;
  const bool is_all = !samples.x.given() && !samples.y.given();
  if (is_all)
    session.refuse({"--queries",   "--weights",      "--classify", "--standardize",   "--missing", "--bandwidth",
                    "--isotropic", "--loss",         "--degree",   "--causal",        "--decay",   "--empty",
                    "--method",    "--tol",          "--loo",      "--derivative",    "--sparse",  "--with-query",
                    "--plot",      "--plot-weights", "--output",   "--output-format", "--emit"},
                   "kernels are drawn without samples (-x, -y)");
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
  cli::draw_graph(series, {kernel_file, "", "(q - x) / h", "weight", size, overwrite}, session);
  return is_all;
}

void Plot::check(const PreparedSamples& data) const {
  if (fit_file.empty()) return;
  const std::size_t d = data.samples.x.rank() == 2 ? data.samples.x.shape[1] : 1;
  if (d != 1)
    throw Error(ErrorKind::usage, "--plot", "draws one column of x against y, x has " + std::to_string(d),
                "use tplot for what was computed");
  if (data.samples.x.shape[0] == 0) throw Error(ErrorKind::data, "--plot", "there are no samples to draw");
}

void Plot::draw_fit(const PreparedSamples& data, const std::shared_ptr<const attn::KernelRegression>& regression,
                    const attn::Smoother& smoother, double level, const cli::PictureOptions& picture,
                    cli::Session& session) const {
  const std::vector<double> x = cli::numbers_of(data.samples.x), y = cli::numbers_of(data.samples.y);
  const attn::Tensor grid = grid_over(x, data.queries);
  attn::RegressionRequest request;
  request.standard_error = true;
  attn::Smoother honest = smoother;
  if (honest.empty == attn::EmptyWindow::error) honest.empty = attn::EmptyWindow::nan;
  honest.method = attn::Method::automatic;  // one that has no standard errors may have been asked for
  const attn::RegressionResult result = regression->evaluate(grid.view("grid"), honest, request, session.execution());
  const std::vector<double> at = cli::numbers_of(grid.view());
  const TensorView mean = data.classes ? attn::class_probabilities(result.fit) : result.fit;
  const std::vector<double> fit = cli::numbers_of(mean);
  const std::vector<double> band =
      cli::numbers_of(attn::confidence_band(mean, *result.standard_error, level, data.classes.has_value()));
  const std::string band_label = cli::to_text(100 * level) + " % band";
  const std::vector<std::string> names = data.output_names();
  const std::size_t outputs = regression->outputs();
  std::vector<cli::Series> series;
  for (std::size_t c = 0; c < outputs; ++c) {
    const std::string name = names[c].empty() ? "" : " " + names[c];
    std::vector<cli::Series> layers{samples_of_output(x, y, c, data.classes.has_value(), "samples" + name)};
    cli::Series band_of, fit_of;
    band_of.style = cli::Series::Style::band;
    band_of.label = band_label + name;
    fit_of.label = "fit" + name;
    band_of.x = fit_of.x = at;
    bool has_band = false;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double lower = band[2 * (i * outputs + c)], upper = band[2 * (i * outputs + c) + 1];
      has_band = has_band || std::isfinite(lower);
      fit_of.y.push_back(fit[i * outputs + c]);
      band_of.y.push_back(lower);
      band_of.upper.push_back(upper);
    }
    if (has_band) layers.push_back(std::move(band_of));
    layers.push_back(std::move(fit_of));
    for (cli::Series& layer : layers) {
      if (outputs > 1) layer.colour = c;
      series.push_back(std::move(layer));
    }
  }
  cli::draw_graph(series, picture, session);
}

void Plot::draw_weights(const PreparedSamples& data, const std::shared_ptr<const attn::KernelRegression>& regression,
                        const attn::Smoother& smoother, const cli::PictureOptions& picture,
                        cli::Session& session) const {
  // Queries down, samples across, each by its first coordinate; large sets are thinned to what can be seen.
  constexpr std::size_t most = 400;
  const auto first_column = [](const TensorView& table) {
    const std::vector<double> all = cli::numbers_of(table);
    const std::size_t width = table.rank() == 2 ? table.shape[1] : 1;
    std::vector<double> column;
    for (std::size_t i = 0; i < all.size(); i += width) column.push_back(all[i]);
    return column;
  };
  const TensorView& queries = data.queries ? *data.queries : data.samples.x;
  const std::vector<std::size_t> rows = spread(first_column(queries), most);
  const std::vector<std::size_t> columns = spread(first_column(data.samples.x), most);
  const TensorView shown = queries.rank() == 0 ? queries : attn::rows_of(queries, rows);
  const attn::TensorProducer producer = attn::dense_weights(regression, shown, smoother, false, session.execution());
  std::vector<double> weights;
  producer.produce([&](const void* bytes, std::size_t count) {
    const auto* first = static_cast<const double*>(bytes);
    weights.insert(weights.end(), first, first + count / sizeof(double));
  });
  cli::HeatMap map{"", rows.size(), columns.size(), {}};
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const std::size_t column : columns) map.values.push_back(weights[r * regression->size() + column]);
  cli::draw_heat_maps({map}, {}, picture, session);
}

void Plot::draw(const PreparedSamples& data, const std::shared_ptr<const attn::KernelRegression>& regression,
                const attn::Smoother& smoother, double level, bool overwrite, cli::Session& session) const {
  const std::string x_label = data.query_names.size() == 1 ? data.query_names[0] : "x";
  const std::string y_label = data.classes                  ? "probability"
                              : data.samples.y.name.empty() ? "y"
                                                            : last_part(data.samples.y.name);
  if (!fit_file.empty())
    draw_fit(data, regression, smoother, level, {fit_file, "", x_label, y_label, size, overwrite}, session);
  if (!weights_file.empty())
    draw_weights(data, regression, smoother, {weights_file, "", "samples by x", "queries by x", size, overwrite},
                 session);
}

}  // namespace nwreg
