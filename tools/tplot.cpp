// tplot: pictures of tensors.

#include "cli/numbers.hpp"
#include "cli/picture.hpp"
#include "cli/tool.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace {

using attn::DType;
using attn::Error;
using attn::ErrorKind;
using attn::TensorView;
using cli::Series;

struct Options {
  cli::Input input{std::vector<std::string>{"y", "x"}};
  bool heat_map = false, curves = false, scatter = false, histogram = false;
  cli::OptionalInput x{"x"}, fit{"y"}, fit_x{"q"}, band{"band"}, row_labels{"rows"}, column_labels{"columns"};
  std::size_t bins = 0;
  cli::PictureOptions picture;
};

void declare(cli::Command& command, Options& o) {
  command.example("posenc --length 60 --dim 32 | tplot -o encoding.png");
  command.example("tplot --scatter -x mcycle.csv:/times mcycle.csv:/accel -o -");
  command.example("attend --emit weights -o y.h5 run.h5 && tplot y.h5:/weights -o weights.svg");
  command.input(o.input, "what to draw");
  command.group("Kind of picture");
  command.flag("--heatmap", o.heat_map, "the last two axes as colours, a panel for each matrix; what matrices get");
  command.flag("--curves", o.curves, "a line for each column; what a single column gets");
  command.flag("--scatter", o.scatter, "points, for each column");
  command.flag("--histogram", o.histogram, "how often values occur");
  command.group("What goes with it");
  command.input("-x", o.x, "abscissae of curves and points; without them rows are counted from 0");
  command.input("--fit", o.fit, "a line through the points of --scatter");
  command.input("--fit-x", o.fit_x, "its abscissae, when they are not those of the points");
  command.input("--band", o.band, "(m, 2): lower and upper border of a band around the fit");
  command.option("--bins", o.bins, "N: of the histogram; 0 takes as many as suit (Freedman and Diaconis)");
  command.input("--row-labels", o.row_labels, "text for the rows of a heat map");
  command.input("--column-labels", o.column_labels, "text for its columns, and for the legend of curves");
  command.option("--title", o.picture.title, "TEXT: above the picture");
  command.option("--xlabel", o.picture.x_label, "TEXT: below it");
  command.option("--ylabel", o.picture.y_label, "TEXT: beside it");
  command.option("--size", o.picture.size, "SIZE: 800x500 pixels or, on the terminal, characters");
  command.option("-o,--output", o.picture.file, "FILE: .png, .svg, .pdf, or - for the terminal, which is the default");
  command.flag("-f,--overwrite", o.picture.overwrite, "replace a picture that exists");
}

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
  session.plan({});
  cli::draw_graph(series, o.picture, session);
}

void draw_scatter(const Options& o, const TensorView& y, cli::Session& session) {
  const auto x = session.read(o.x), fit = session.read(o.fit), band = session.read(o.band);
  std::vector<Series> series =
      columns_of(y, x, Series::Style::points, read_labels(o.column_labels, columns_in(y), "columns", session));
  const auto fit_x = o.fit_x.given() ? session.read(o.fit_x) : x;
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
    maps.push_back({panels > 1 ? std::to_string(p) : "",
                    rows,
                    columns,
                    {first, first + static_cast<std::ptrdiff_t>(rows * columns)}});
  }
  const std::vector<std::string> row_labels = read_labels(o.row_labels, rows, "rows", session);
  const std::vector<std::string> column_labels = read_labels(o.column_labels, columns, "columns", session);
  session.plan({});
  cli::draw_heat_maps(maps, {row_labels, column_labels}, o.picture, session);
}

/// An option that the kind of picture has no use for would be ignored: it is a mistake.
void require_use(bool given, const char* option, bool has_use, const char* use, const char* fix) {
  if (given && !has_use) throw Error(ErrorKind::usage, option, use, fix);
}

void run(const Options& given, cli::Session& session) {
  Options o = given;
  if (o.picture.file.empty()) o.picture.file = "-";
  if (o.heat_map + o.curves + o.scatter + o.histogram > 1)
    throw Error(ErrorKind::usage, "--heatmap, --curves, --scatter, --histogram", "exclude each other",
                "give one of them");
  require_use(o.fit.given() || o.band.given(), "--fit, --band", o.scatter, "go with points", "give --scatter");
  require_use(o.fit_x.given(), "--fit-x", o.fit.given() || o.band.given(), "goes with a line or a band",
              "give --fit or --band");
  require_use(o.bins > 0, "--bins", o.histogram, "goes with a histogram", "give --histogram");
  const TensorView y = session.read(o.input);
  if (y.dtype == DType::string) throw Error(ErrorKind::data, y.name, "is text, which has no picture");
  const bool is_column = y.rank() < 2 || (y.rank() == 2 && y.shape[1] == 1);
  const bool draws_curves = !o.histogram && !o.scatter && (o.curves || (is_column && !o.heat_map));
  const bool draws_heat_map = !o.histogram && !o.scatter && !draws_curves;
  require_use(o.x.given(), "-x", o.scatter || draws_curves, "goes with curves and points",
              "give --curves or --scatter");
  require_use(o.row_labels.given(), "--row-labels", draws_heat_map, "goes with a heat map", "give --heatmap");
  require_use(o.column_labels.given(), "--column-labels", !o.histogram, "goes with a heat map, curves and points",
              "leave it out");
  if (o.bins > 10000) throw Error(ErrorKind::usage, "--bins", "must be at most 10000; no picture shows more");
  if (o.histogram) return draw({cli::histogram_of(cli::numbers_of(y), o.bins)}, o, session);
  if (o.scatter) return draw_scatter(o, y, session);
  if (draws_curves)
    return draw(columns_of(y, session.read(o.x), Series::Style::line,
                           read_labels(o.column_labels, columns_in(y), "columns", session)),
                o, session);
  draw_heat_map(o, y, session);
}

}  // namespace

ATTN_TOOL("tplot", "pictures of tensors: heat maps, curves, points, histograms", Options, declare, run)
