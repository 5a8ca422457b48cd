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
#include <set>
#include <utility>

namespace cli {
namespace {

using Style = Series::Style;

// Colours that the colour-blind can distinguish (Okabe and Ito 2008).
constexpr const char* colours[] = {"0072B2", "D55E00", "009E73", "CC79A7", "E69F00", "56B4E9", "000000"};
// The marks of points whose colours are used up: circles, squares, triangles, diamonds, triangles downwards.
constexpr int point_types[] = {7, 5, 9, 13, 11};
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
  const bool is_text = cli::is_text(options);
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

/// The data source of a set.
std::string source_of(const Series& s, PictureNumbers& numbers) {
  const std::vector<double>* third = s.style == Style::band || s.style == Style::density ? &s.upper
                                     : s.style == Style::bars                            ? &s.widths
                                                                                         : nullptr;
  std::vector<double> rows;
  rows.reserve(s.x.size() * 3);
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    rows.insert(rows.end(), {s.x[i], s.y[i]});
    if (third != nullptr) rows.push_back((*third)[i]);
  }
  const std::string columns = third != nullptr ? "3" : "2";
  if (rows.empty()) rows.assign(3, none);  // gnuplot takes no 0 rows
  return numbers.add(
      rows, "record=(" + std::to_string(std::max<std::size_t>(s.x.size(), 1)) + ") format='%" + columns + "float64'");
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
                        bool is_one_of_bars, std::size_t longest_label) {
  const std::string colour = colours[place % std::size(colours)];
  const std::string paint = " linecolor rgb '#" + colour + "'";
  const std::string title =
      s.label.empty() ? " notitle" : " title " + gnuplot_quoted(shortened(s.label, longest_label));
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
      const int mark = s.has_crosses ? 2 : point_types[place / std::size(colours) % std::size(point_types)];
      const std::string type = " with points pointtype " + std::to_string(mark) + " pointsize ";
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

/// The ends of an axis, and where a value lies between them: 0 to 1.
struct ShownAxis {
  double low = 0, high = 1;
  bool is_log = false;
  double place_of(double value) const {
    const auto of = [this](double x) { return is_log ? std::log10(x) : x; };
    return (of(value) - of(low)) / (of(high) - of(low));
  }
};

/// What the x and the y axis have to show.
struct Extents {
  Extent x, y;
  bool have_bars = false;
};

Extents extents_of(const std::vector<Series>& series, const PictureOptions& options) {
  Extents all;
  all.have_bars = !series.empty() && series.front().style == Style::bars;
  for (const Series& s : series) {
    all.x.add(s.x, options.x_range);
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!is_within(s.x[i], options.x_range)) continue;
      all.y.add({s.y[i]}, options.y_range);
      if (s.style == Style::band) all.y.add({s.upper[i]}, options.y_range);
    }
    for (std::size_t i = 0; i < s.widths.size(); ++i)
      all.x.add({s.x[i] - s.widths[i] / 2, s.x[i] + s.widths[i] / 2}, options.x_range);
    if (s.style == Style::bars && !options.log_y) all.y.add({0}, options.y_range);
  }
  for (const Extent& extent : {all.x, all.y})
    if (extent.low <= extent.high) expect_drawable(extent.low, extent.high);
  return all;
}

/// The part of an axis that is shown: the requested ends, else those of the data with a margin.
/// from_low: without a margin below, such as bars.
ShownAxis axis_of(Extent extent, const AxisRange& range, bool is_log, double margin, bool from_low) {
  if (!(extent.low <= extent.high)) {  // a line that crosses the range between its points
    const double end = range.from.value_or(range.to.value_or(is_log ? 1 : 0));
    extent.low = extent.high = end;
  }
  ShownAxis axis{extent.low, extent.high, is_log};
  if (is_log) {
    const double factor = extent.low < extent.high ? std::pow(extent.high / extent.low, margin) : 10;
    if (!from_low) axis.low /= factor;
    axis.high *= factor;
  } else {
    const double around = extent.span() > 0 ? margin * extent.span() : extent.low == 0 ? 1 : std::abs(extent.low) / 10;
    if (!from_low) axis.low -= around;
    axis.high += around;
  }
  axis.low = range.from.value_or(axis.low);
  axis.high = range.to.value_or(axis.high);
  return axis;
}

std::string range_line(const std::string& axis, const std::string& from, const std::string& to) {
  return "set " + axis + "range [" + from + ":" + to + "]\n";
}

/// Numbers or dates along an axis of a picture in characters, whose range gnuplot selects; `cells` along the axis.
std::string axis_in_characters(const std::string& name, const Extent& extent, bool is_log, bool are_dates,
                               const AxisRange& range, bool has_bars, std::size_t cells) {
  const double margin = has_bars ? 0 : extent.span() > 0 ? extent.span() / 50 : 0.5;
  const double from = range.from.value_or(extent.low - margin), to = range.to.value_or(extent.high + margin);
  if (are_dates && !is_log) {
    const std::string dates = date_axis(name, std::min(from, to), std::max(from, to), cells);
    if (!dates.empty()) return dates;
  }
  // gnuplot would take a narrow range far from 0 for a point and widen it.
  const std::string format = is_log ? "" : far_format(extent.low, extent.high), edge = to_text(extent.span() / 50);
  return (format.empty() ? ""
                         : "set format " + name + " '" + format + "'\n" +
                               range_line(name, to_text(extent.low) + "-" + edge, to_text(extent.high) + "+" + edge)) +
         number_axis({name, extent.low, extent.high, is_log, static_cast<double>(cells), true});
}

std::string axes_in_characters(const std::vector<Series>& series, const Extents& extents, const PictureOptions& options,
                               PictureSize size) {
  // A line each for names, above the picture.
  const auto names = static_cast<std::size_t>(
      std::count_if(series.begin(), series.end(), [](const Series& s) { return !s.label.empty(); }));
  const Extent &x = extents.x, &y = extents.y;
  std::string script =
      axis_in_characters("x", x, options.log_x, options.x_dates, options.x_range, extents.have_bars, size.width - 8) +
      axis_in_characters("y", y, options.log_y, options.y_dates, options.y_range, extents.have_bars,
                         std::max(size.height, names + 8) - names - 4);
  // Half of the first number is left of the axis.
  if (!options.log_x && !options.x_dates && !far_format(x.low, x.high).empty() && far_format(y.low, y.high).empty())
    script += "set lmargin 9\n";
  const auto requested = [](const char* axis, const AxisRange& range) {
    const auto end = [](const std::optional<double>& at) { return at ? to_text(*at) : "*"; };
    return range.from || range.to ? range_line(axis, end(range.from), end(range.to)) : "";
  };
  if (extents.have_bars)  // all are visible, from their foot
    script += range_line("y", options.log_y ? "0.5" : "0", "*") + range_line("x", to_text(x.low), to_text(x.high));
  return script + requested("x", options.x_range) + requested("y", options.y_range);
}

/// The axes of a picture in a file, and the pixels between them.
struct Frame {
  ShownAxis x, y;
  double width = 1, height = 1;
  std::string script;
};

Frame frame_of(const Extents& extents, const PictureOptions& options, PictureSize size, const TextSize& text,
               double legend_across, double legend_down) {
  constexpr double margin = 0.04;
  Extent y = extents.y;
  if (extents.have_bars && options.log_y) y.low = 0.5;
  Frame frame;
  frame.x = axis_of(extents.x, options.x_range, options.log_x, extents.have_bars ? 0 : margin, extents.have_bars);
  frame.y = axis_of(y, options.y_range, options.log_y, margin, extents.have_bars);
  // About the margins that gnuplot leaves.
  const bool has_title = !options.title.empty(), has_x = !options.x_label.empty(), has_y = !options.y_label.empty();
  frame.height = std::max(static_cast<double>(size.height) - legend_down -
                              text.line * (2.5 + (has_title ? 1.5 : 0) + (has_x ? 1.3 : 0) + (options.x_dates ? 1 : 0)),
                          4 * text.line);
  const auto numbers = [&](const char* name, const ShownAxis& axis, bool are_dates, double room, std::size_t* widest) {
    const double low = std::min(axis.low, axis.high), high = std::max(axis.low, axis.high);
    std::string script = range_line(name, to_text(axis.low), to_text(axis.high));
    const std::string dates =
        are_dates && !axis.is_log ? date_axis(name, low, high, static_cast<std::size_t>(room)) : "";
    // date_axis() has a range of its own, which goes upwards
    return dates.empty() ? script + number_axis({name, low, high, axis.is_log, room, false}, widest) : dates + script;
  };
  std::size_t widest = 0;
  const std::string vertical = numbers("y", frame.y, options.y_dates, frame.height / text.line, &widest);
  if (options.y_dates) widest = 10;
  frame.width = std::max(static_cast<double>(size.width) - legend_across -
                             text.letter * (static_cast<double>(widest) + 5) - (has_y ? 1.5 * text.line : 0),
                         8 * text.letter);
  frame.script = numbers("x", frame.x, options.x_dates, frame.width / text.letter, nullptr) + vertical;
  return frame;
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

/// The line with at most four points for half a pixel across: the first, the lowest, the highest and the last (Jugel et
/// al. 2014). It looks the same, and gnuplot takes minutes for a path of a million points.
Series thinned(const Series& line, const Frame& frame) {
  constexpr std::size_t few = 20000;
  if (line.style != Style::line || line.x.size() <= few) return line;
  Series thin = line;
  thin.x.clear();
  thin.y.clear();
  const auto column_of = [&](std::size_t i) { return std::floor(2 * frame.width * frame.x.place_of(line.x[i])); };
  for (std::size_t first = 0, last = 0; first < line.x.size(); first = last + 1) {
    std::size_t lowest = first, highest = first;
    last = first;
    for (std::size_t next = first + 1;
         next < line.x.size() && is_seen(line, first) && is_seen(line, next) && column_of(next) == column_of(first);
         ++next) {
      last = next;
      if (line.y[next] < line.y[lowest]) lowest = next;
      if (line.y[next] > line.y[highest]) highest = next;
    }
    for (const std::size_t i : std::set<std::size_t>{first, lowest, highest, last})
      thin.x.push_back(line.x[i]), thin.y.push_back(line.y[i]);
  }
  return thin;
}

/// A part of the frame, from 0 to 1.
struct Box {
  double left, right, bottom, top;
  bool has(double x, double y) const { return left <= x && x <= right && bottom <= y && y <= top; }
};

/// Does a line between two points pass through the box?
bool is_crossed(const Box& box, double x0, double y0, double x1, double y1) {
  double first = 0, last = 1;  // of the part inside (Liang and Barsky 1984)
  const auto clip = [&](double step, double room) {
    if (step == 0) return room >= 0;
    (step < 0 ? first : last) = step < 0 ? std::max(first, room / step) : std::min(last, room / step);
    return first <= last;
  };
  return clip(x0 - x1, x0 - box.left) && clip(x1 - x0, box.right - x0) && clip(y0 - y1, y0 - box.bottom) &&
         clip(y1 - y0, box.top - y0);
}

bool is_free(const Box& box, const std::vector<Series>& series, const Frame& frame) {
  for (const Series& s : series)
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!is_seen(s, i)) continue;
      const double x = frame.x.place_of(s.x[i]), y = frame.y.place_of(s.y[i]);
      switch (s.style) {
        case Style::points:
          if (box.has(x, y)) return false;
          break;
        case Style::density:
          if (s.upper[i] > 0 && box.has(x, y)) return false;
          break;
        case Style::bars: {
          const double left = frame.x.place_of(s.x[i] - s.widths[i] / 2),
                       right = frame.x.place_of(s.x[i] + s.widths[i] / 2);
          if (left <= box.right && box.left <= right && box.bottom <= y) return false;
          break;
        }
        case Style::band: {
          const double upper = frame.y.place_of(s.upper[i]);
          if (box.left <= x && x <= box.right && y <= box.top && box.bottom <= upper) return false;
          break;
        }
        case Style::line:
          if (box.has(x, y)) return false;
          if (i > 0 && is_seen(s, i - 1) &&
              is_crossed(box, frame.x.place_of(s.x[i - 1]), frame.y.place_of(s.y[i - 1]), x, y))
            return false;
      }
    }
  return true;
}

/// The names in a legend: how many there are, and in letters the longest and the most that is shown of one.
struct LegendNames {
  std::size_t count = 0, longest = 0, most = 0;
  /// The pixels of a name and its mark. room: of the name, in letters.
  static double width_of(std::size_t room, const TextSize& text) {
    return (0.84 * static_cast<double>(room) + 6.7) * text.letter;  // as gnuplot does
  }
  double width(const TextSize& text) const { return width_of(std::min(longest, most), text); }
  double height(std::size_t rows, const TextSize& text) const { return text.line * (static_cast<double>(rows) + 0.5); }
};

LegendNames legend_names(const std::vector<Series>& series, PictureSize size, const TextSize& text, bool is_text) {
  constexpr std::size_t most_in_characters = 26;
  LegendNames names;
  for (const Series& s : series)
    if (!s.label.empty()) ++names.count, names.longest = std::max(names.longest, cli::width_of(s.label));
  const double letters = static_cast<double>(size.width) / text.letter;
  names.most = is_text ? most_in_characters : static_cast<std::size_t>(std::max(letters - 8, 8.0));
  return names;
}

/// The rows of a legend above or below the frame, which columns of names fill one after another. Names are shortened if
/// the legend would else take more than 40 % of the picture, down to a dozen letters.
std::size_t legend_rows(LegendNames& names, double width, PictureSize size, const TextSize& text) {
  const auto across = [&](std::size_t letters) {
    return static_cast<std::size_t>(std::max(width / LegendNames::width_of(letters, text), 1.0));
  };
  const auto rows = [&](std::size_t columns) { return (names.count + columns - 1) / columns; };
  constexpr std::size_t shortest = 12;
  std::size_t columns = across(std::min(names.longest, names.most));
  while (names.height(rows(columns), text) > 0.4 * static_cast<double>(size.height) && columns < across(shortest)) {
    ++columns;
    while (names.most > shortest && across(std::min(names.longest, names.most)) < columns) --names.most;
  }
  return rows(columns);
}

/// The place of the legend: the requested one, else one for which there is room. rows: if it is above.
Legend legend_of(const LegendNames& names, std::size_t rows, const std::vector<Series>& series,
                 const PictureOptions& options, PictureSize size, const TextSize& text, const Frame& frame,
                 Report& report) {
  if (names.count == 0 || options.legend == Legend::none) return Legend::none;
  if (options.legend != Legend::automatic) return options.legend;
  const double width = names.width(text) / frame.width, height = names.height(names.count, text) / frame.height;
  if (width < 0.7 && height < 0.6)
    for (const auto& [place, box] : {std::pair{Legend::upper_right, Box{1 - width, 1, 1 - height, 1}},
                                     std::pair{Legend::upper_left, Box{0, width, 1 - height, 1}},
                                     std::pair{Legend::lower_right, Box{1 - width, 1, 0, height}},
                                     std::pair{Legend::lower_left, Box{0, width, 0, height}}})
      if (is_free(box, series, frame)) return place;
  if (names.height(rows, text) < 0.6 * static_cast<double>(size.height)) return Legend::top;
  report.note("the picture has no legend: there is no room for " + std::to_string(names.count) + " names");
  return Legend::none;
}

/// In characters the legend is on top, a line for each name.
Legend legend_in_characters(const LegendNames& names, const PictureOptions& options, Report& report) {
  constexpr std::size_t most = 24;
  if (names.count > most)
    report.note("the picture has no legend: there is no room for " + std::to_string(names.count) + " names");
  return names.count == 0 || names.count > most || options.legend == Legend::none ? Legend::none : Legend::top;
}

std::string legend_line(Legend place) {
  switch (place) {
    case Legend::upper_right: return "set key inside right top";
    case Legend::upper_left: return "set key inside left top Left reverse";
    case Legend::lower_right: return "set key inside right bottom";
    case Legend::lower_left: return "set key inside left bottom Left reverse";
    case Legend::right: return "set key outside right top Left reverse";
    case Legend::top: return "set key above";
    case Legend::bottom: return "set key below";
    case Legend::automatic:
    case Legend::none: break;
  }
  return "unset key";
}

}  // namespace

void draw_graph(std::vector<Series> series, const PictureOptions& options, Session& session) {
  const bool is_text = cli::is_text(options);
  std::size_t all = 0, drawn = 0;
  for (const Series& s : series) all += s.x.size();
  // The numbers, a sorted copy, those of a block, and what gnuplot reads.
  constexpr std::size_t bytes_per_point = 4 * 3 * sizeof(double);
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
  const PictureSize size = parse_size_of(options, standard);
  const TextSize text = text_size(options, size.width);
  const Extents extents = extents_of(series, options);
  LegendNames names = legend_names(series, size, text, is_text);
  std::string script = gnuplot_titles(options, size, text) + "set border 3\nset tics nomirror\n";
  if (options.log_x) script += "set logscale x\nset format x '%g'\n";
  if (options.log_y) script += "set logscale y\nset format y '%g'\n";
  Frame frame;
  if (is_text) {  // without a grid: of characters it would look like a band
    const Legend place = legend_in_characters(names, options, session.report);
    script += legend_line(place) + (place == Legend::top ? " width 2" : "") + "\n" +
              axes_in_characters(series, extents, options, size);
  } else {
    const bool is_beside = names.count > 0 && options.legend == Legend::right;
    frame = frame_of(extents, options, size, text, is_beside ? names.width(text) : 0, 0);
    LegendNames above = names;
    const std::size_t rows = legend_rows(above, frame.width, size, text);
    const Legend place = legend_of(names, rows, series, options, size, text, frame, session.report);
    const bool is_outside = place == Legend::top || place == Legend::bottom;
    if (is_outside) {
      names = above;
      frame = frame_of(extents, options, size, text, 0, names.height(rows, text));
    }
    // Half of the last number needs room.
    script += "set grid linecolor rgb '#DDDDDD'\nset style fill solid\n" + legend_line(place) +
              (place == Legend::none ? "" : " noopaque samplen 2") +
              (is_outside ? " vertical maxrows " + std::to_string(rows) : "") + "\n" +
              (is_beside         ? ""
               : options.x_dates ? "set rmargin 6\n"
                                 : "set rmargin 3\n") +
              frame.script;
  }
  const auto bars = std::count_if(series.begin(), series.end(), [](const Series& s) { return s.style == Style::bars; });
  const double opacity = opacity_of(series, options);
  PictureNumbers numbers(options.file);
  std::string clauses;
  const auto add = [&](const Series& s, std::size_t place, double visible) {
    clauses += (clauses.empty() ? "" : ", ") +
               plot_clause(s, source_of(s, numbers), place, visible, is_text, bars > 1, names.most);
  };
  std::size_t next_colour = 0;
  for (const Series& s : series) {
    const std::size_t place = s.colour.value_or(next_colour);
    add(is_text ? s : thinned(s, frame), place, opacity);
    if (s.style != Style::band) ++next_colour;  // a band has the colour of the line after it
    if (s.style != Style::line || is_text) continue;
    if (const Series lone = lone_points_of(s); !lone.x.empty()) add(lone, place, 1);
  }
  script += "plot " + clauses + "\n";
  run_gnuplot(std::move(script), numbers, options, standard, text, session);
}

}  // namespace cli
