// tplot: pictures of tensors.

#include "cli/gnuplot.hpp"
#include "cli/tool.hpp"
#include "tplot/options.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tplot {
namespace {

using attn::TensorView;
using cli::Series;

/// One for each row or column.
std::vector<std::string> read_labels(const cli::OptionalInput& input, std::size_t count, const char* of,
                                     cli::Session& session) {
  const auto x = session.read(input);
  if (!x) return {};
  if (x->size() != count)
    throw attn::shape_error(x->name, x->shape, std::to_string(count) + " labels, one for each of the picture's " + of);
  return cli::labels_of(*x);
}

std::size_t columns_in(const TensorView& y) { return y.rank() == 2 ? y.shape[1] : 1; }

/// Columns of (rows) or (rows, columns) against -x.
std::vector<Series> columns_of(const TensorView& y, const std::optional<TensorView>& x, Series::Style style,
                               const std::vector<std::string>& labels) {
  if (y.rank() < 1 || y.rank() > 2)
    throw attn::shape_error(y.name, y.shape, "(rows) or (rows, columns)", "pick a part of it");
  cli::expect_something(y.size() > 0);  // of no rows there may be very many columns
  const std::size_t rows = y.shape[0], columns = columns_in(y);
  std::vector<double> at;
  if (x) at = cli::numbers_of(*x);
  for (std::size_t i = 0; !x && i < rows; ++i) at.push_back(static_cast<double>(i));
  if (at.size() != rows)
    throw attn::shape_error(x->name, x->shape, std::to_string(rows) + " abscissae as " + y.name + " has rows");
  const std::vector<double> values = cli::numbers_of(y);
  std::vector<Series> all(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    all[c].style = style;
    all[c].x = at;
    if (c < labels.size()) all[c].label = labels[c];
    if (labels.empty() && columns > 1) all[c].label = std::to_string(c);
    for (std::size_t i = 0; i < rows; ++i) all[c].y.push_back(values[i * columns + c]);
  }
  return all;
}

/// Here all inputs have been read, and --dry-run ends.
void draw(const std::vector<Series>& series, const Options& o, cli::Session& session) {
  std::size_t points = 0;
  for (const Series& one : series) points += one.x.size();
  session.plan({{}, 0, points * cli::bytes_per_point});
  cli::draw_graph(series, o.picture, session);
}

void draw_curves(const Options& o, const TensorView& y, cli::Session& session) {
  draw(columns_of(y, session.read(o.x), Series::Style::line,
                  read_labels(o.column_labels, columns_in(y), "columns", session)),
       o, session);
}

void draw_scatter(const Options& o, const TensorView& y, cli::Session& session) {
  const auto x = session.read(o.x), fit = session.read(o.fit), band = session.read(o.band);
  std::vector<Series> series =
      columns_of(y, x, Series::Style::points, read_labels(o.column_labels, columns_in(y), "columns", session));
  const auto fit_x = o.fit_x.given() && (fit || band) ? session.read(o.fit_x) : x;
  if (band) {
    std::vector<Series> borders = columns_of(*band, fit_x, Series::Style::band, {"band"});
    if (borders.size() != 2) throw attn::shape_error(band->name, band->shape, "(m, 2): lower and upper border");
    borders[0].upper = borders[1].y;
    series.push_back(borders[0]);
  }
  if (fit)
    for (Series& line : columns_of(*fit, fit_x, Series::Style::line, {"fit"})) series.push_back(std::move(line));
  // Lines need their points from left to right.
  for (Series& s : series)
    if (s.style != Series::Style::points) cli::sort_by_x(s);
  draw(series, o, session);
}

/// Indices along the leading axes of the matrix that is number `panel`: "1, 3".
std::string place_of(std::size_t panel, const attn::Shape& shape) {
  std::string text;
  for (std::size_t axis = shape.size() - 2; axis-- > 0; panel /= shape[axis])
    text = std::to_string(panel % shape[axis]) + (text.empty() ? "" : ", ") + text;
  return text;
}

void draw_heat_map(const Options& o, const TensorView& y, cli::Session& session) {
  const TensorView matrices = y.rank() >= 2 ? y : attn::reshaped(attn::contiguous(y), {1, y.size()});
  const std::size_t rows = matrices.shape[matrices.rank() - 2], columns = matrices.shape[matrices.rank() - 1];
  const std::size_t panels = rows * columns > 0 ? matrices.size() / (rows * columns) : 0;
  constexpr std::size_t most = 64;
  if (panels == 0) throw attn::shape_error(y.name, y.shape, "something to draw");
  if (panels > most)
    throw attn::shape_error(y.name, y.shape, "at most " + std::to_string(most) + " matrices", "pick a part of it");
  const std::vector<double> values = cli::numbers_of(matrices);
  std::vector<cli::HeatMap> maps;
  for (std::size_t p = 0; p < panels; ++p) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(p * rows * columns);
    maps.push_back({panels > 1 ? place_of(p, matrices.shape) : "",
                    rows,
                    columns,
                    {first, first + static_cast<std::ptrdiff_t>(rows * columns)}});
  }
  const std::vector<std::string> row_labels = read_labels(o.row_labels, rows, "rows", session);
  const std::vector<std::string> column_labels = read_labels(o.column_labels, columns, "columns", session);
  session.plan({{}, 0, values.size() * cli::bytes_per_element(o.picture.file)});
  // Heads side by side, a row of them for each of a batch.
  constexpr std::size_t most_across = 8;
  const std::size_t last = y.rank() > 3 ? y.shape[y.rank() - 3] : 0;
  cli::draw_heat_maps(maps, {row_labels, column_labels, last <= most_across ? last : 0}, o.picture, session);
}

void draw_histogram(const Options& o, const TensorView& y, cli::Session& session) {
  const std::vector<double> values = cli::numbers_of(y);
  const cli::Series bars = cli::histogram_of(values, o.bins);
  const auto counted = static_cast<std::size_t>(std::accumulate(bars.y.begin(), bars.y.end(), 0.0));
  if (counted < values.size())
    session.note(std::to_string(values.size() - counted) + " of " + std::to_string(values.size()) +
                 " values left out: no finite numbers");
  Options labelled = o;
  if (labelled.picture.y_label.empty()) labelled.picture.y_label = "count";
  draw({bars}, labelled, session);
}

void run(const Options& given, cli::Session& session) {
  Options o = given;
  if (o.picture.file.empty()) o.picture.file = "-";
  check(o);
  const TensorView y = session.read(o.input);
  switch (kind_of(o, y)) {
    case Kind::heat_map: return draw_heat_map(o, y, session);
    case Kind::curves: return draw_curves(o, y, session);
    case Kind::scatter: return draw_scatter(o, y, session);
    case Kind::histogram: return draw_histogram(o, y, session);
  }
}

}  // namespace
}  // namespace tplot

ATTN_TOOL("tplot", "pictures of tensors: heat maps, curves, points, histograms", tplot::Options, tplot::declare,
          tplot::run)
