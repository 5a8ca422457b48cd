#include "cli/picture.hpp"

#include "cli/gnuplot.hpp"
#include "cli/numbers.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>

namespace cli {
namespace {

// Colours that stay apart for the colour-blind (Okabe and Ito 2008).
constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};

/// With all digits: places far from 0 differ in the last ones.
std::string coordinate(double x) { return std::isfinite(x) ? to_text(x) : "NaN"; }

void append_data(std::string& script, const std::string& name, const Series& s) {
  script += name + " << EOD\n";
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    script += coordinate(s.x[i]) + " " + coordinate(s.y[i]);
    if (s.style == Series::Style::band) script += " " + coordinate(s.upper[i]);
    // An empty line breaks a line where a value is missing.
    script += std::isfinite(s.y[i]) ? "\n" : "\n\n";
  }
  script += "EOD\n";
}

std::string plot_clause(const Series& s, const std::string& name, std::size_t colour, bool is_text) {
  std::string clause = name;
  switch (s.style) {
    case Series::Style::line: clause += " using 1:2 with lines linewidth 2"; break;
    case Series::Style::points:
      clause += is_text ? " using 1:2 with points" : " using 1:2 with points pointtype 7 pointsize 0.5";
      break;
    case Series::Style::band:
      clause += is_text ? " using 1:2 with dots notitle, " + name + " using 1:3 with dots"
                        : " using 1:2:3 with filledcurves fillstyle transparent solid 0.25 noborder";
      break;
    case Series::Style::bars: clause += " using 1:2 with boxes fillstyle solid 0.6"; break;
  }
  // When the colours are used up, lines are dashed.
  clause += std::string(" linecolor rgb '") + colours[colour % std::size(colours)] + "'";
  if (s.style == Series::Style::line && !is_text)
    clause += " dashtype " + std::to_string(1 + colour / std::size(colours) % 5);
  return clause + (s.label.empty() ? " notitle" : " title " + gnuplot_quoted(s.label));
}

bool has_point(const Series& s) {
  for (std::size_t i = 0; i < s.x.size(); ++i)
    if (std::isfinite(s.x[i]) && std::isfinite(s.y[i])) return true;
  return false;
}

}  // namespace

std::vector<double> numbers_of(const attn::TensorView& x) {
  const attn::TensorView f64 = attn::cast(x, attn::DType::f64);
  const double* first = f64.contiguous_data<double>();
  return {first, first + f64.size()};
}

std::vector<std::string> labels_of(const attn::TensorView& x) {
  if (x.dtype == attn::DType::string) {
    const attn::TensorView text = attn::contiguous(x);
    const auto* first = text.contiguous_data<std::string>();
    return {first, first + text.size()};
  }
  std::vector<std::string> labels;
  for (const double value : numbers_of(x)) labels.push_back(gnuplot_number(value));
  return labels;
}

void sort_by_x(Series& s) {
  std::vector<std::size_t> order(s.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return s.x[a] < s.x[b]; });
  const auto arrange = [&](std::vector<double>& values) {
    std::vector<double> sorted;
    for (const std::size_t i : order) sorted.push_back(values[i]);
    values.swap(sorted);
  };
  arrange(s.x);
  arrange(s.y);
  if (!s.upper.empty()) arrange(s.upper);
}

Series histogram_of(const std::vector<double>& values, std::size_t bins) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double x) { return std::isfinite(x); });
  if (finite.empty()) throw attn::Error(attn::ErrorKind::data, "histogram", "no value is a finite number");
  std::sort(finite.begin(), finite.end());
  const double low = finite.front(), high = finite.back(), n = static_cast<double>(finite.size());
  Series bars;
  bars.style = Series::Style::bars;
  if (low == high) {
    bars.x = {low};
    bars.y = {n};
    bars.width = std::max(1.0, 1e-6 * std::abs(low));
    return bars;
  }
  if (bins == 0) {
    const double quartiles = finite[finite.size() * 3 / 4] - finite[finite.size() / 4];
    const double width = 2 * quartiles / std::cbrt(n);
    bins = width > 0 ? static_cast<std::size_t>(std::clamp(std::ceil((high - low) / width), 1.0, 200.0)) : 10;
  }
  // Divided first: the difference of two numbers may be too large for one.
  bars.width = high / static_cast<double>(bins) - low / static_cast<double>(bins);
  for (std::size_t bin = 0; bin < bins; ++bin) bars.x.push_back(low + (static_cast<double>(bin) + 0.5) * bars.width);
  bars.y.assign(bins, 0.0);
  for (const double value : finite)
    ++bars.y[std::min(bins - 1, static_cast<std::size_t>(value / bars.width - low / bars.width))];
  return bars;
}

namespace {

/// Numbers far from 0 beside what they span (the seconds of a day in this year) need all their digits to tell tics
/// apart, and a range of their own: gnuplot takes a narrow one for a point and widens it. Nothing for other axes.
std::string far_axis(const char* axis, const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  const double span = high - low, farthest = std::max(std::abs(low), std::abs(high));
  if (!(span > 0) || farthest < 1e4 * span || farthest >= 1e15) return "";
  const auto decimals = static_cast<int>(std::clamp(-std::floor(std::log10(span / 5)), 0.0, 15.0));
  const std::string name = axis;
  return "set format " + name + " '%." + std::to_string(decimals) + "f'\nset " + name + "range [" +
         to_text(low - span / 50) + ":" + to_text(high + span / 50) + "]\n";
}

std::string far_axes(const std::vector<Series>& series) {
  std::vector<double> x, y;
  for (const Series& s : series) {
    x.insert(x.end(), s.x.begin(), s.x.end());
    y.insert(y.end(), s.y.begin(), s.y.end());
    y.insert(y.end(), s.upper.begin(), s.upper.end());
  }
  return far_axis("x", x) + far_axis("y", y);
}

/// Whether a legend is drawn: for names, of which there is room for so many.
bool has_legend(const std::vector<Series>& series, Session& session) {
  constexpr std::ptrdiff_t most = 24;
  const auto names = std::count_if(series.begin(), series.end(), [](const Series& s) { return !s.label.empty(); });
  if (names > most) session.note("the picture has no legend: there is no room for " + std::to_string(names) + " names");
  return names > 0 && names <= most;
}

}  // namespace

void draw_graph(const std::vector<Series>& series, const PictureOptions& options, Session& session) {
  const bool is_text = options.file == "-";
  expect_something(std::any_of(series.begin(), series.end(), has_point));
  std::string script = gnuplot_titles(options) + "set border 3\nset tics nomirror\n";
  // In characters a grid would look like a band.
  script += is_text ? "set key above\n"
                    : "set grid linecolor rgb '#DDDDDD'\nset key outside right top noopaque\nset style fill solid\n";
  if (!has_legend(series, session)) script += "unset key\n";
  script += far_axes(series);
  for (const Series& s : series)
    if (s.style == Series::Style::bars)
      script += "set boxwidth " + to_text(0.95 * s.width) + " absolute\nset yrange [0:*]\nset xrange [" +
                to_text(s.x.front() - s.width / 2) + ":" + to_text(s.x.back() + s.width / 2) + "]\n";
  std::string clauses;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::string name = "$series" + std::to_string(i);
    append_data(script, name, series[i]);
    // A band takes the colour of the line that it belongs to, the next set.
    const std::size_t place = series[i].style == Series::Style::band ? i + 1 : i;
    clauses += (i > 0 ? ", " : "") + plot_clause(series[i], name, series[i].colour.value_or(place), is_text);
  }
  script += "plot " + clauses + "\n";
  run_gnuplot(std::move(script), options, {900, 550}, session);
}

}  // namespace cli
