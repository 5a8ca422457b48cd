// Graphs: curves, points, bands and bars.
#include "cli/numbers.hpp"
#include "cli/plots/gnuplot.hpp"
#include "cli/plots/picture.hpp"

#include <attn/core/memory.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>

namespace cli {
namespace {

using Style = Series::Style;

// Colours that the colour-blind can distinguish (Okabe and Ito 2008).
constexpr const char* colours[] = {"0072B2", "D55E00", "009E73", "CC79A7", "E69F00", "56B4E9", "000000"};
constexpr double none = std::numeric_limits<double>::quiet_NaN();

bool is_seen(const Series& s, std::size_t i) { return std::isfinite(s.x[i]) && std::isfinite(s.y[i]); }

/// Replaces values that an axis cannot show by gaps: infinity and, on a logarithmic axis, 0 and below. Bars without
/// height and hidden borders of bands do not count. Returns the number of gaps.
std::size_t leave_out(std::vector<Series>& series, const PictureOptions& options) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Series& s : series)
    for (const double y : s.y)
      if (y > 0) lowest = std::min(lowest, y);
  std::size_t count = 0;
  for (Series& s : series)
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (options.log_y && s.style == Style::band && s.upper[i] > 0) s.y[i] = std::max(s.y[i], lowest);
      const bool is_outside =
          std::isinf(s.x[i]) || std::isinf(s.y[i]) || (options.log_x && s.x[i] <= 0) || (options.log_y && s.y[i] <= 0);
      if (!is_outside) continue;
      s.y[i] = none;
      if (s.style != Style::bars) ++count;
    }
  return count;
}

/// The points of a line without neighbours.
Series lone_points_of(const Series& line) {
  Series lone;
  lone.style = Style::points;
  for (std::size_t i = 0; i < line.x.size(); ++i)
    if (is_seen(line, i) && !(i > 0 && is_seen(line, i - 1)) && !(i + 1 < line.x.size() && is_seen(line, i + 1)))
      lone.x.push_back(line.x[i]), lone.y.push_back(line.y[i]);
  return lone;
}

bool is_within(double value, const AxisRange& range) {
  const double from = range.from.value_or(-INFINITY), to = range.to.value_or(INFINITY);
  return std::min(from, to) <= value && value <= std::max(from, to);
}

/// The least and the greatest visible number of an axis.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double span() const { return high - low; }
  void add(const std::vector<double>& values, const AxisRange& range) {
    for (const double value : values)
      if (std::isfinite(value) && is_within(value, range)) low = std::min(low, value), high = std::max(high, value);
  }
};

/// More points of one set are drawn as a density.
constexpr std::size_t most_points = 50000;

/// The points as cells of a grid, each with a colour as strong as the square root of its count; in characters as one
/// point for each cell that is not empty.
Series density_of(const Series& points, const PictureOptions& options) {
  const bool is_text = options.file == "-";
  const std::size_t across = is_text ? 160 : 300, down = is_text ? 60 : 180;
  Extent x, y;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    if (!is_seen(points, i) || !is_within(points.x[i], options.x_range) || !is_within(points.y[i], options.y_range))
      continue;
    x.add({points.x[i]}, {});
    y.add({points.y[i]}, {});
  }
  if (!(x.span() > 0 && y.span() > 0)) return points;
  const auto cell_of = [](double at, const Extent& extent, std::size_t cells) {
    return std::min(cells - 1,
                    static_cast<std::size_t>((at - extent.low) / extent.span() * static_cast<double>(cells)));
  };
  std::vector<double> counts(across * down);
  for (std::size_t i = 0; i < points.x.size(); ++i)
    if (is_seen(points, i) && is_within(points.x[i], options.x_range) && is_within(points.y[i], options.y_range))
      ++counts[cell_of(points.y[i], y, down) * across + cell_of(points.x[i], x, across)];
  const double most = *std::max_element(counts.begin(), counts.end());
  Series cells;
  cells.style = is_text ? Style::points : Style::density;
  cells.label = points.label;
  cells.colour = points.colour;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    if (is_text && counts[cell] == 0) continue;
    cells.x.push_back(x.low + x.span() * (static_cast<double>(cell % across) + 0.5) / static_cast<double>(across));
    cells.y.push_back(y.low + y.span() * (static_cast<double>(cell / across) + 0.5) / static_cast<double>(down));
    if (!is_text) cells.upper.push_back(counts[cell] > 0 ? 15 + std::round(240 * std::sqrt(counts[cell] / most)) : 0);
  }
  return cells;
}

void append_data(std::string& script, const std::string& name, const Series& s) {
  script += name + " << EOD\n";
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    script += gnuplot_number(s.x[i]) + " " + gnuplot_number(s.y[i]);
    if (s.style == Style::band || s.style == Style::density) script += " " + gnuplot_number(s.upper[i]);
    if (s.style == Style::bars) script += " " + gnuplot_number(s.widths[i]);
    // An empty line breaks a line where a value is missing.
    script += std::isfinite(s.y[i]) ? "\n" : "\n\n";
  }
  script += "EOD\n";
}

/// Opacity of points: 1 up to 300 points, and less for more, so that dense points show through.
double opacity_of(const std::vector<Series>& series, const PictureOptions& options) {
  std::size_t points = 0;
  for (const Series& s : series)
    if (s.style == Style::points) points += s.x.size();
  return options.alpha.value_or(
      std::clamp(std::sqrt(300.0 / static_cast<double>(std::max<std::size_t>(points, 1))), 0.03, 1.0));
}

/// The clause of the plot command that draws the set in the block `name`.
std::string plot_clause(const Series& s, const std::string& name, std::size_t place, double opacity, bool is_text,
                        bool is_one_of_bars) {
  const std::string colour = colours[place % std::size(colours)];
  const std::string paint = " linecolor rgb '#" + colour + "'";
  const std::string title =
      s.label.empty() ? " notitle" : " title " + gnuplot_quoted(shortened(s.label, is_text ? 26 : 40));
  switch (s.style) {
    case Style::line:
      // After the last colour, lines are dashed.
      return name + " using 1:2 with lines linewidth 2" + paint +
             (is_text ? "" : " dashtype " + std::to_string(1 + place / std::size(colours) % 5)) + title;
    case Style::points: {
      if (is_text) return name + " using 1:2 with points" + paint + title;
      const char* size = s.x.size() <= 100 ? "1" : s.x.size() <= 5000 ? "0.5" : "0.3";
      char transparency[3];
      std::snprintf(transparency, sizeof transparency, "%02X", static_cast<unsigned>(std::lround(255 * (1 - opacity))));
      const std::string type = " with points pointtype " + std::string(s.has_crosses ? "2" : "7") + " pointsize ";
      const std::string faint = name + " using 1:2" + type + size + " linecolor rgb '#" + transparency + colour + "'";
      if (opacity == 1) return faint + title;
      return faint + " notitle" + (s.label.empty() ? "" : ", NaN" + type + "1" + paint + title);
    }
    case Style::band:
      if (is_text)
        return name + " using 1:2 with dots" + paint + " notitle, " + name + " using 1:3 with dots" + paint + title;
      return name + " using 1:2:3 with filledcurves fillstyle transparent solid 0.25 noborder" + paint + title;
    case Style::density: {
      std::string channels;
      for (const std::size_t at : {0, 2, 4}) channels += ":(0x" + colour.substr(at, 2) + ")";
      return name + " using 1:2" + channels + ":3 with rgbalpha notitle" +
             (s.label.empty() ? "" : ", NaN with points pointtype 7 pointsize 1" + paint + title);
    }
    case Style::bars:
      // Outlines stay visible behind each other.
      if (is_text && is_one_of_bars) return name + " using 1:2 with histeps" + paint + title;
      return name + " using 1:2:3 with boxes fillstyle transparent solid " + (is_one_of_bars ? "0.4" : "0.6") + paint +
             title;
  }
  return "";
}

/// The format and the range of an axis whose numbers are far from 0: gnuplot would take a narrow range for a point and
/// widen it. Empty for other axes.
std::string far_axis(const std::string& axis, const Extent& extent) {
  const std::string format = far_format(extent.low, extent.high), margin = to_text(extent.span() / 50);
  if (format.empty()) return "";
  return "set format " + axis + " '" + format + "'\nset " + axis + "range [" + to_text(extent.low) + "-" + margin +
         ":" + to_text(extent.high) + "+" + margin + "]\n";
}

/// Tics for a picture in characters, where gnuplot would overwrite one number with the next: as many as fit into
/// `cells`; powers of ten on a logarithmic axis.
std::string tics_in_characters(const std::string& axis, Extent extent, bool is_log, std::size_t cells) {
  const std::string far = is_log ? "" : far_format(extent.low, extent.high), format = far.empty() ? "%g" : far;
  if (is_log) extent.low = std::log10(extent.low), extent.high = std::log10(extent.high);
  if (!(extent.span() > 1e-12 * std::max(std::abs(extent.low), std::abs(extent.high)))) return "";  // too close
  const double smallest = std::pow(10, std::floor(std::log10(extent.span() / 10)));
  for (double power = is_log ? std::max(smallest, 1.0) : smallest;; power *= 10)
    for (const double step : {power, 2 * power, 5 * power}) {
      const double first = std::floor(extent.low / step), last = std::ceil(extent.high / step);
      if (last - first > 10) continue;
      std::size_t taken = 0;
      std::string powers;
      for (double at = first; at <= last; ++at) {
        char text[400];
        const double value = is_log ? std::pow(10, at * step) : at * step;
        const int width = std::snprintf(text, sizeof text, format.c_str(), value);
        taken += axis == "x" ? static_cast<std::size_t>(width) + 2 : 2;
        if (std::isnormal(value)) powers += (powers.empty() ? "" : ",") + to_text(value);
      }
      if (taken > cells && last - first > 1 && step < extent.span()) continue;
      // All powers are listed: gnuplot 6 would also label those between, over each other.
      return "set " + axis + "tics " + (is_log ? "(" + powers + ")" : to_text(step)) + "\n";
    }
}

/// Ranges, numbers and formats of both axes. Throws Error(data) for numbers that gnuplot cannot show.
std::string axes(const std::vector<Series>& series, const PictureOptions& options, PictureSize size) {
  Extent x, y;
  std::size_t names = 0, longest = 0;  // a line each, above the picture in characters, and beside others
  for (const Series& s : series) {
    x.add(s.x, options.x_range);
    y.add(s.y, options.y_range);
    if (s.style == Style::band) y.add(s.upper, options.y_range);
    for (std::size_t i = 0; i < s.widths.size(); ++i)
      x.add({s.x[i] - s.widths[i] / 2, s.x[i] + s.widths[i] / 2}, options.x_range);
    if (s.style == Style::bars && !options.log_y) y.add({0}, options.y_range);
    names += s.label.empty() ? 0 : 1;
    longest = std::max(longest, s.label.size());
  }
  for (const Extent& extent : {x, y})
    if (extent.low <= extent.high) expect_drawable(extent.low, extent.high);
  const bool is_text = options.file == "-";
  const bool has_bars = !series.empty() && series.front().style == Style::bars;
  std::string script;
  const auto add = [&](const std::string& axis, const Extent& extent, bool is_log, bool are_dates,
                       const AxisRange& range, std::size_t room, std::size_t cells) {
    const double margin = has_bars ? 0 : extent.span() > 0 ? extent.span() / 50 : 0.5;
    const double from = range.from.value_or(extent.low - margin), to = range.to.value_or(extent.high + margin);
    const std::string dates =
        are_dates && !is_log ? date_axis(axis, std::min(from, to), std::max(from, to), is_text ? cells : room) : "";
    script += !dates.empty() ? dates
                             : (is_log ? "" : far_axis(axis, extent)) +
                                   (is_text ? tics_in_characters(axis, extent, is_log, cells) : "");
  };
  // Letters of 8 pixels, lines of 18, without the margins and the legend.
  const std::size_t beside = 12 + (longest > 0 ? std::min<std::size_t>(longest, 40) + 6 : 0);
  add("x", x, options.log_x, options.x_dates, options.x_range, std::max(size.width / 8, beside + 12) - beside,
      size.width - 8);
  add("y", y, options.log_y, options.y_dates, options.y_range, std::max<std::size_t>(size.height / 18, 8) - 4,
      std::max(size.height, names + 8) - names - 4);
  // Half of the first number is left of the axis.
  if (is_text && !options.log_x && !options.x_dates && !far_format(x.low, x.high).empty() &&
      far_format(y.low, y.high).empty())
    script += "set lmargin 9\n";
  return script;
}

/// The axes of bars: all bars are visible, from their foot.
std::string axes_of_bars(const Series& s, const PictureOptions& options) {
  return std::string("set yrange [") + (options.log_y ? "0.5" : "0") + ":*]\nset xrange [" +
         to_text(s.x.front() - s.widths.front() / 2) + ":" + to_text(s.x.back() + s.widths.back() / 2) + "]\n";
}

std::string asked_range(const char* axis, const AxisRange& range) {
  if (!range.from && !range.to) return "";
  const auto end = [](const std::optional<double>& at) { return at ? to_text(*at) : "*"; };
  return std::string("set ") + axis + "range [" + end(range.from) + ":" + end(range.to) + "]\n";
}

/// Throws Error(data) if nothing would be visible.
void expect_points(const std::vector<Series>& series, const PictureOptions& options) {
  bool is_there = false;
  Extent x, y;  // of the values in the x range; a line passes between its points, and a bar begins at 0
  for (const Series& s : series)
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!is_seen(s, i)) continue;
      is_there = true;
      if (!is_within(s.x[i], options.x_range)) continue;
      x.add({s.x[i]}, {});
      y.add({s.y[i], s.style == Style::bars ? 0 : s.style == Style::band ? s.upper[i] : s.y[i]}, {});
    }
  const bool is_log = options.log_x || options.log_y;
  expect_something(is_there, is_log ? "a finite number above 0, as a logarithmic axis takes" : "a finite number");
  expect_something(x.low <= x.high, "in the range of the x axis");
  const double from = options.y_range.from.value_or(-INFINITY), to = options.y_range.to.value_or(INFINITY);
  expect_something(y.low <= std::max(from, to) && std::min(from, to) <= y.high, "in the range of the y axis");
}

/// Is a legend drawn? Only for names, and only if there is room.
bool has_legend(const std::vector<Series>& series, Report& report) {
  constexpr std::ptrdiff_t most = 24;
  const auto names = std::count_if(series.begin(), series.end(), [](const Series& s) { return !s.label.empty(); });
  if (names > most) report.note("the picture has no legend: there is no room for " + std::to_string(names) + " names");
  return names > 0 && names <= most;
}

}  // namespace

void draw_graph(std::vector<Series> series, const PictureOptions& options, Session& session) {
  const bool is_text = options.file == "-";
  std::size_t all = 0, drawn = 0;
  for (const Series& s : series) all += s.x.size();
  // The numbers, a sorted copy, and the script, which is copied as it grows.
  constexpr std::size_t bytes_per_point = 200;
  const std::size_t outside = leave_out(series, options);
  expect_points(series, options);
  const bool has_densities = !options.log_x && !options.log_y && !options.alpha;
  for (Series& s : series) {
    if (has_densities && s.style == Style::points && s.x.size() > most_points) s = density_of(s, options);
    drawn += s.x.size();
  }
  const auto counted = attn::memory_account().take(drawn * bytes_per_point, "picture");
  if (outside > 0)
    session.report.note(std::to_string(outside) + " of " + std::to_string(all) + " points left out: they are infinite" +
                        (options.log_x || options.log_y ? ", or not above 0 on a logarithmic axis" : ""));
  const PictureSize standard = is_text ? terminal_size({79, 24}) : PictureSize{900, 550};
  std::string script = gnuplot_titles(options, parse_size_of(options, standard)) + "set border 3\nset tics nomirror\n";
  // A grid of characters would look like a band.
  script += is_text ? "set key above width 2\n"
                    : "set grid linecolor rgb '#DDDDDD'\nset key outside right top noopaque\nset style fill solid\n";
  if (!has_legend(series, session.report))  // then half of the last number needs room
    script += std::string("unset key\n") + (is_text ? "" : "set rmargin 4\n");
  if (options.log_x) script += "set logscale x\nset format x '%g'\n";
  if (options.log_y) script += "set logscale y\nset format y '%g'\n";
  script += axes(series, options, parse_size_of(options, standard));
  const auto bars = std::count_if(series.begin(), series.end(), [](const Series& s) { return s.style == Style::bars; });
  if (bars > 0) script += axes_of_bars(series.front(), options);
  script += asked_range("x", options.x_range) + asked_range("y", options.y_range);
  const double opacity = opacity_of(series, options);
  std::string clauses;
  auto add = [&, block = 0](const Series& s, std::size_t place, double visible) mutable {
    const std::string name = "$series" + std::to_string(block++);
    append_data(script, name, s);
    clauses += (clauses.empty() ? "" : ", ") + plot_clause(s, name, place, visible, is_text, bars > 1);
  };
  std::size_t next_colour = 0;
  for (const Series& s : series) {
    const std::size_t place = s.colour.value_or(next_colour);
    add(s, place, opacity);
    if (s.style != Style::band) ++next_colour;  // a band has the colour of the line after it
    if (s.style != Style::line || is_text) continue;
    if (const Series lone = lone_points_of(s); !lone.x.empty()) add(lone, place, 1);
  }
  script += "plot " + clauses + "\n";
  run_gnuplot(std::move(script), options, standard, session);
}

}  // namespace cli
