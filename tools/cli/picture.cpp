#include "cli/picture.hpp"

#include "cli/gnuplot.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <numeric>

namespace cli {
namespace {

// Colours that stay apart for the colour-blind (Okabe and Ito 2008).
constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};

std::string number(double x) {
  if (!std::isfinite(x)) return "NaN";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", x);
  return buffer;
}

std::string labels(const PictureOptions& options) {
  std::string script;
  if (!options.title.empty()) script += "set title " + gnuplot_quoted(options.title) + "\n";
  if (!options.x_label.empty()) script += "set xlabel " + gnuplot_quoted(options.x_label) + "\n";
  if (!options.y_label.empty()) script += "set ylabel " + gnuplot_quoted(options.y_label) + "\n";
  return script;
}

std::string data_block(const std::string& name, const Series& s) {
  std::string block = name + " << EOD\n";
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    block += number(s.x[i]) + " " + number(s.y[i]);
    if (s.style == Series::Style::band) block += " " + number(s.upper[i]);
    // An empty line breaks a line where a value is missing.
    block += std::isfinite(s.y[i]) ? "\n" : "\n\n";
  }
  return block + "EOD\n";
}

std::string plot_clause(const Series& s, const std::string& name, std::size_t colour, bool is_text) {
  std::string clause = name;
  switch (s.style) {
    case Series::Style::line: clause += " using 1:2 with lines linewidth 2"; break;
    case Series::Style::points:
      clause += is_text ? " using 1:2 with points" : " using 1:2 with points pointtype 7 pointsize 0.5";
      break;
    case Series::Style::band:
      clause +=
          is_text ? " using 1:2 with dots" : " using 1:2:3 with filledcurves fillstyle transparent solid 0.25 noborder";
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

void expect_something(bool is_there) {
  if (!is_there)
    throw attn::Error(attn::ErrorKind::data, "picture", "there is nothing to draw: no value is a finite number");
}

// Viridis (van der Walt and Smith 2015) in nine steps.
constexpr const char* palette =
    "set palette defined (0 '#440154', 1 '#472D7B', 2 '#3B528B', 3 '#2C728E', 4 '#21918C', 5 '#28AE80', 6 '#5EC962', "
    "7 '#ADDC30', 8 '#FDE725')\n";

/// Text for tics, in which gnuplot takes % for a format of the number.
std::string tic_text(const std::string& text) {
  std::string plain;
  for (const char c : text) plain += c == '%' ? "%%" : std::string(1, c);
  return gnuplot_quoted(plain);
}

std::string tics(const std::vector<std::string>& names, std::size_t count, const char* axis, bool rotate) {
  std::string script = std::string("set ") + axis + "tics scale 0 out nomirror textcolor rgb 'black'";
  if (rotate && !names.empty()) script += " rotate by -45 left";
  script += " (";
  // At most about forty labels fit.
  const std::size_t step = names.empty() ? std::max<std::size_t>(1, (count + 9) / 10) : (count + 39) / 40;
  for (std::size_t i = 0; i < count; i += std::max<std::size_t>(step, 1)) {
    if (i > 0) script += ", ";
    script += tic_text(names.empty() ? std::to_string(i) : i < names.size() ? names[i] : "") + " " + std::to_string(i);
  }
  return script + ")\n";
}

// A heat map in characters: gnuplot's own are hard to read.
std::string in_characters(const HeatMap& map, const HeatMapLabels& names, double low, double high) {
  static constexpr char shades[] = " .:-=+*#%@";
  constexpr std::size_t most = 76;
  const std::size_t columns = std::min(map.columns, most), rows = std::min<std::size_t>(map.rows, 40);
  std::size_t margin = 0;
  for (const std::string& name : names.rows) margin = std::max(margin, std::min<std::size_t>(name.size(), 16));
  std::string text = map.title.empty() ? "" : map.title + "\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t row = r * map.rows / rows;
    std::string name = row < names.rows.size() ? names.rows[row].substr(0, 16) : "";
    text += std::string(margin - name.size(), ' ') + name + "|";
    for (std::size_t c = 0; c < columns; ++c) {
      const double value = map.values[row * map.columns + c * map.columns / columns];
      const double share = high > low ? (value - low) / (high - low) : 0;
      text += std::isfinite(value) ? shades[std::clamp(static_cast<int>(share * 9.999), 0, 9)] : '?';
    }
    text += "|\n";
  }
  return text + "from ' ' = " + number(low) + " to '@' = " + number(high) + "\n";
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
  for (const double value : numbers_of(x)) labels.push_back(number(value));
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
  if (bins == 0) {
    const double quartiles = finite[finite.size() * 3 / 4] - finite[finite.size() / 4];
    const double width = 2 * quartiles / std::cbrt(n);
    bins = width > 0 ? static_cast<std::size_t>(std::clamp(std::ceil((high - low) / width), 1.0, 200.0)) : 10;
  }
  const double width = high > low ? (high - low) / static_cast<double>(bins) : 1;
  Series bars;
  bars.style = Series::Style::bars;
  for (std::size_t bin = 0; bin < bins; ++bin) bars.x.push_back(low + (static_cast<double>(bin) + 0.5) * width);
  bars.y.assign(bins, 0.0);
  for (const double value : finite) ++bars.y[std::min(bins - 1, static_cast<std::size_t>((value - low) / width))];
  return bars;
}

void draw_graph(const std::vector<Series>& series, const PictureOptions& options, Session& session) {
  const bool is_text = options.file == "-";
  expect_something(std::any_of(series.begin(), series.end(), has_point));
  std::string script = labels(options) + "set grid linecolor rgb '#DDDDDD'\nset border 3\nset tics nomirror\n";
  script += is_text ? "set key above\n" : "set key outside right top noopaque\nset style fill solid\n";
  const bool has_bars =
      std::any_of(series.begin(), series.end(), [](const Series& s) { return s.style == Series::Style::bars; });
  if (has_bars) script += "set boxwidth 0.95 relative\nset yrange [0:*]\n";
  if (std::all_of(series.begin(), series.end(), [](const Series& s) { return s.label.empty(); }))
    script += "unset key\n";
  std::string clauses;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::string name = "$series" + std::to_string(i);
    script += data_block(name, series[i]);
    // A band takes the colour of the line that it belongs to, the next set.
    const std::size_t colour = series[i].style == Series::Style::band ? i + 1 : i;
    clauses += (i > 0 ? ", " : "") + plot_clause(series[i], name, colour, is_text);
  }
  run_gnuplot(script + "plot " + clauses + "\n", options, {900, 550}, session);
}

void draw_heat_maps(const std::vector<HeatMap>& maps, const HeatMapLabels& names, const PictureOptions& options,
                    Session& session) {
  double low = INFINITY, high = -INFINITY;
  for (const HeatMap& map : maps)
    for (const double value : map.values)
      if (std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  expect_something(low <= high);
  if (options.file == "-") {
    if (!options.title.empty()) session.print_text(options.title + "\n");
    for (const HeatMap& map : maps) session.print_text(in_characters(map, names, low, high));
    return;
  }
  const auto across = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(maps.size()))));
  const std::size_t down = (maps.size() + across - 1) / across;
  std::string script = palette;
  if (low < high) script += "set cbrange [" + number(low) + ":" + number(high) + "]\n";
  script += "unset key\nset border linecolor rgb '#888888'\nset cbtics format '%g' textcolor rgb 'black'\n";
  if (maps.size() > 1) {
    script += "set multiplot layout " + std::to_string(down) + "," + std::to_string(across);
    if (!options.title.empty()) script += " title " + gnuplot_quoted(options.title);
    script += "\n";
  }
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const HeatMap& map = maps[i];
    PictureOptions panel = options;
    if (maps.size() > 1) panel.title = map.title;
    script += labels(panel) + tics(names.columns, map.columns, "x", true) + tics(names.rows, map.rows, "y", false);
    script += "set xrange [-0.5:" + number(static_cast<double>(map.columns) - 0.5) + "]\nset yrange [" +
              number(static_cast<double>(map.rows) - 0.5) + ":-0.5]\n";
    const std::string block = "$map" + std::to_string(i);
    script += block + " << EOD\n";
    for (std::size_t r = 0; r < map.rows; ++r) {
      for (std::size_t c = 0; c < map.columns; ++c)
        script += (c > 0 ? " " : "") + number(map.values[r * map.columns + c]);
      script += "\n";
    }
    script += "EOD\nplot " + block + " matrix with image\n";
  }
  if (maps.size() > 1) script += "unset multiplot\n";
  const PictureSize standard{std::min<std::size_t>(420 * across + 280, 2400),
                             std::min<std::size_t>(380 * down + 160, 2400)};
  run_gnuplot(script, options, standard, session);
}

}  // namespace cli
