// tplot: pictures of tensors.

#include "cli/plots/gnuplot.hpp"
#include "cli/tool.hpp"
#include "tplot/options.hpp"

#include <attn/core/error.hpp>
#include <attn/io/dates.hpp>

#include <algorithm>
#include <numeric>

namespace tplot {
namespace {

using attn::TensorView;
using cli::Series;

/// Columns of (rows) or (rows, columns) at the positions x, or at the row numbers in the whole tensor; lines run from
/// left to right.
std::vector<Series> columns_of(const Drawn& drawn, const std::optional<TensorView>& x, Series::Style style) {
  const TensorView& y = drawn.tensor;
  if (y.rank() > 2) throw attn::shape_error(y.name, y.shape, "(rows) or (rows, columns)", "pick a part of it");
  cli::expect_something(y.size() > 0);  // 0 rows may have very many columns
  const std::size_t rows = y.rank() == 0 ? 1 : y.shape[0], columns = y.rank() == 2 ? y.shape[1] : 1;
  std::vector<double> at;
  if (x) at = cli::numbers_of(*x);
  const cli::Numbering numbers = drawn.numbers_along(0);
  for (std::size_t i = 0; !x && i < rows; ++i) at.push_back(static_cast<double>(numbers.at(i)));
  if (at.size() != rows)
    throw attn::shape_error(x->name, x->shape, std::to_string(rows) + " abscissae as " + y.name + " has rows");
  const std::vector<double> values = cli::numbers_of(y);
  std::vector<Series> all(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    all[c].style = style;
    all[c].x = at;
    for (std::size_t i = 0; i < rows; ++i) all[c].y.push_back(values[i * columns + c]);
    if (x && style == Series::Style::line) cli::sort_by_x(all[c]);
  }
  return all;
}

/// Times since a date as days, which the axis shows as dates.
std::optional<TensorView> read_positions(const cli::OptionalInput& input, cli::Session& session, bool& are_dates) {
  std::optional<TensorView> x = session.read(input);
  if (!x) return x;
  const auto scale = attn::io::day_scale(session.inputs.attributes(input));
  if (!scale || x->dtype == attn::DType::string) return x;
  are_dates = true;
  const TensorView wide = attn::contiguous(attn::cast(*x, attn::DType::f64));
  attn::Tensor days(attn::DType::f64, wide.shape);
  const auto* const numbers = wide.contiguous_data<double>();
  std::transform(numbers, numbers + wide.size(), days.data_as<double>(),
                 [&](double number) { return number * scale->factor + scale->offset; });
  return days.view(x->name);
}

/// Are all of them days, as of dates in a table?
bool are_dates(const std::vector<Drawn>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [](const Drawn& input) {
    const std::vector<bool>& dates = input.names.are_dates;
    return !dates.empty() && std::find(dates.begin(), dates.end(), false) == dates.end();
  });
}

/// The columns of all inputs with their names: in the legend, or on the axis if there is only one.
std::vector<Series> named_columns(const std::vector<Drawn>& inputs, const std::optional<TensorView>& x,
                                  Series::Style style, const Options& o, cli::PictureOptions& picture,
                                  cli::Inputs& in) {
  std::vector<Series> series;
  for (const Drawn& input : inputs)
    for (Series& one : columns_of(input, x, style)) series.push_back(std::move(one));
  std::vector<std::string> names = read_labels(o.column_labels, series.size(), "columns", in);
  if (names.empty()) names = column_names_apart(inputs);
  picture.y_dates = are_dates(inputs);
  if (x && picture.x_label.empty()) picture.x_label = cli::names_of(o.x, *x, in).tensor;
  if (series.size() == 1 && !o.column_labels.given()) {
    if (picture.y_label.empty()) picture.y_label = names[0];
    return series;
  }
  for (std::size_t i = 0; i < series.size(); ++i) series[i].label = names[i].empty() ? std::to_string(i) : names[i];
  return series;
}

void draw_curves(const Options& o, const std::vector<Drawn>& inputs, cli::Session& session) {
  cli::PictureOptions picture = o.picture;
  const auto x = read_positions(o.x, session, picture.x_dates);
  std::vector<Series> series = named_columns(inputs, x, Series::Style::line, o, picture, session.inputs);
  cli::draw_graph(std::move(series), picture, session);
}

void draw_scatter(const Options& o, const std::vector<Drawn>& inputs, cli::Session& session) {
  cli::PictureOptions picture = o.picture;
  const auto x = read_positions(o.x, session, picture.x_dates);
  const std::vector<Drawn> fits = read_all(o.fits, session.inputs), bands = read_all(o.bands, session.inputs);
  std::vector<Series> series = named_columns(inputs, x, Series::Style::points, o, picture, session.inputs);
  const std::size_t points = series.size();
  if (points == 1 && series[0].label.empty() && fits.size() + bands.size() > 0) {
    const std::string name = column_names_apart(inputs)[0];
    series[0].label = name.empty() ? "points" : name;
  }
  const bool has_own = o.fit_x.given() && fits.size() + bands.size() > 0;
  const auto fit_x = has_own ? read_positions(o.fit_x, session, picture.x_dates) : x;
  const std::vector<std::string> names = names_apart(fits);
  for (std::size_t i = 0; i < std::max(fits.size(), bands.size()); ++i) {
    if (i < bands.size()) {
      const TensorView& band = bands[i].tensor;
      std::vector<Series> borders = columns_of(bands[i], fit_x, Series::Style::line);
      if (borders.size() != 2) throw attn::shape_error(band.name, band.shape, "(m, 2): lower and upper border");
      borders[0].style = Series::Style::band;
      borders[0].label = "band";
      borders[0].upper = borders[1].y;
      series.push_back(borders[0]);  // in the colour of its fit
    }
    if (i >= fits.size()) continue;
    std::vector<Series> lines = columns_of(fits[i], fit_x, Series::Style::line);
    // With several columns, each fit has the colour of its points.
    const bool go_with_points = points > 1 && lines.size() == points && fits.size() == 1;
    for (std::size_t c = 0; c < lines.size(); ++c) {
      lines[c].label = "fit" + (go_with_points ? " " + series[c].label : fits.size() > 1 ? " " + names[i] : "");
      if (go_with_points) lines[c].colour = series[c].colour = c;
      series.push_back(std::move(lines[c]));
    }
  }
  cli::draw_graph(std::move(series), picture, session);
}

void draw_histogram(const Options& o, const std::vector<Drawn>& inputs, cli::Session& session) {
  std::vector<std::vector<double>> values;
  std::size_t given = 0;
  double counted = 0;
  for (const Drawn& input : inputs) {
    values.push_back(cli::numbers_of(input.tensor));
    given += values.back().size();
  }
  std::vector<Series> bars = cli::histograms_of(values, o.bins, o.picture.log_x);
  for (const Series& one : bars) counted += std::accumulate(one.y.begin(), one.y.end(), 0.0);
  if (const std::size_t left_out = given - static_cast<std::size_t>(counted); left_out > 0)
    session.report.note(std::to_string(left_out) + " of " + std::to_string(given) +
                        " values omitted: no finite numbers" + (o.picture.log_x ? " above 0" : ""));
  const std::vector<std::string> names = names_apart(inputs);
  cli::PictureOptions picture = o.picture;
  picture.x_dates = are_dates(inputs);
  if (picture.y_label.empty()) picture.y_label = "count";
  if (inputs.size() == 1 && picture.x_label.empty()) picture.x_label = names[0];
  for (std::size_t i = 0; inputs.size() > 1 && i < bars.size(); ++i) bars[i].label = names[i];
  cli::draw_graph(std::move(bars), picture, session);
}

/// What the matrix number `panel` is: "batch 0, head 3", or "[0, 3]" of axes without names. An axis of one element that
/// is not the only one is left out.
std::string place_of(std::size_t panel, const Drawn& input) {
  const attn::Shape& shape = input.tensor.shape;
  std::vector<std::string> named, indices;
  bool have_names = true;
  for (std::size_t axis = shape.size() - 2; axis-- > 0; panel /= shape[axis]) {
    const std::string index = std::to_string(input.numbers_along(axis).at(panel % shape[axis]));
    indices.insert(indices.begin(), index);
    if (shape[axis] == 1) continue;
    have_names = have_names && !input.name_of(axis).empty();
    named.insert(named.begin(), input.name_of(axis) + " " + index);
  }
  return have_names ? attn::listed(named) : "[" + attn::listed(indices) + "]";
}

/// The matrices of one input, each in a panel. title: of the input; empty if it is the only one.
void append_panels(std::vector<cli::HeatMap>& maps, const Drawn& input, const std::string& title) {
  const TensorView& y = input.tensor;
  const TensorView matrices = y.rank() >= 2 ? y : attn::reshaped(attn::contiguous(y), {1, y.size()});
  const std::size_t rows = matrices.shape[matrices.rank() - 2], columns = matrices.shape[matrices.rank() - 1];
  const std::size_t panels = rows * columns > 0 ? matrices.size() / (rows * columns) : 0;
  constexpr std::size_t most = 64;
  if (panels == 0) throw attn::shape_error(y.name, y.shape, "something to draw");
  if (maps.size() + panels > most)
    throw attn::shape_error(y.name, y.shape, "at most " + std::to_string(most) + " matrices", "pick a part of it");
  const std::vector<double> values = cli::numbers_of(matrices);
  for (std::size_t p = 0; p < panels; ++p) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(p * rows * columns);
    const std::string place = panels > 1 ? place_of(p, input) : "";
    const bool has_index = !place.empty() && place.front() == '[';
    const bool has_names = y.rank() >= 2 && input.names.columns.size() == columns;
    maps.push_back({title + (title.empty() || place.empty() || has_index ? "" : ": ") + place,
                    rows,
                    columns,
                    {first, first + static_cast<std::ptrdiff_t>(rows * columns)},
                    {},
                    has_names ? input.names.columns : std::vector<std::string>{},
                    y.rank() >= 2 ? input.numbers_along(y.rank() - 2) : cli::Numbering{},
                    y.rank() >= 1 ? input.numbers_along(y.rank() - 1) : cli::Numbering{}});
  }
}

void draw_heat_map(const Options& o, const std::vector<Drawn>& inputs, cli::Session& session) {
  std::vector<cli::HeatMap> maps;
  const std::vector<std::string> titles = names_apart(inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) append_panels(maps, inputs[i], inputs.size() > 1 ? titles[i] : "");
  for (cli::HeatMap& map : maps) {
    if (o.row_labels.given()) map.row_names = read_labels(o.row_labels, map.rows, "rows", session.inputs);
    if (o.column_labels.given())
      map.column_names = read_labels(o.column_labels, map.columns, "columns", session.inputs);
  }
  cli::PictureOptions picture = o.picture;
  if (const TensorView& y = inputs[0].tensor; y.rank() >= 2 && !cli::is_text(picture)) {
    if (picture.x_label.empty()) picture.x_label = inputs[0].name_of(y.rank() - 1);
    if (picture.y_label.empty()) picture.y_label = inputs[0].name_of(y.rank() - 2);
  }
  // Heads side by side, a row for each sequence of the batch.
  constexpr std::size_t most_across = 8;
  const TensorView& y = inputs[0].tensor;
  const std::size_t last = inputs.size() == 1 && y.rank() > 3 ? y.shape[y.rank() - 3] : 0;
  cli::draw_heat_maps(maps, last <= most_across ? last : 0, picture, session);
}

void run(const Options& given, cli::Session& session) {
  Options o = given;
  if (o.picture.file.empty()) o.picture.file = "-";
  check(o);
  const std::vector<Drawn> inputs = read_inputs(o, session.inputs);
  const bool are_columns = std::all_of(
      inputs.begin(), inputs.end(), [](const Drawn& input) { return input.tensor.rank() < 3 && input.columns() == 1; });
  switch (kind_of(o, are_columns)) {
    case Kind::heat_map: return draw_heat_map(o, inputs, session);
    case Kind::curves: return draw_curves(o, inputs, session);
    case Kind::scatter: return draw_scatter(o, inputs, session);
    case Kind::histogram: return draw_histogram(o, inputs, session);
  }
}

}  // namespace
}  // namespace tplot

ATTN_TOOL("tplot", "pictures of tensors: heat maps, curves, points, histograms", tplot::Options, tplot::declare,
          tplot::run)
