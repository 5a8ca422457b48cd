// Functions of two variables: colours, contours, and the samples.
#include "cli/plots/gnuplot.hpp"
#include "cli/plots/picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cli {
namespace {

std::string three_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

/// Rows from the top.
void draw_in_characters(const Surface& surface, const PictureOptions& options, Session& session) {
  HeatMap map{"", surface.y.size(), surface.x.size(), {}};
  for (const double x : surface.x) map.column_names.push_back(three_digits(x));
  for (std::size_t row = map.rows; row-- > 0;) {
    map.row_names.push_back(three_digits(surface.y[row]));
    const auto first = surface.z.begin() + static_cast<std::ptrdiff_t>(row * map.columns);
    map.values.insert(map.values.end(), first, first + static_cast<std::ptrdiff_t>(map.columns));
  }
  draw_heat_maps({map}, 1, options, session);
}

/// Samples at most as many as a picture can show, evenly from all.
std::string samples_of(const Surface& surface, PictureNumbers& numbers) {
  constexpr std::size_t most = 5000;
  const std::size_t n = surface.samples_x.size(), shown = std::min(n, most);
  std::vector<double> points;
  for (std::size_t k = 0; k < shown; ++k)
    points.insert(points.end(), {surface.samples_x[k * n / shown], surface.samples_y[k * n / shown]});
  return numbers.add(points, "record=(" + std::to_string(shown) + ") format='%2float64' using 1:2");
}

std::string grid_of(const Surface& surface, PictureNumbers& numbers) {
  const std::size_t columns = surface.x.size(), rows = surface.y.size();
  std::vector<double> points;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      points.insert(points.end(), {surface.x[column], surface.y[row], surface.z[row * columns + column]});
  return numbers.add(
      points, "record=(" + std::to_string(columns) + "," + std::to_string(rows) + ") format='%3float64' using 1:2:3");
}

}  // namespace

void draw_contours(const Surface& surface, const PictureOptions& options, Session& session) {
  if (is_text(options)) return draw_in_characters(surface, options, session);
  double low = INFINITY, high = -INFINITY;
  for (const double z : surface.z)
    if (std::isfinite(z)) low = std::min(low, z), high = std::max(high, z);
  expect_something(low <= high);
  expect_drawable(low, high);
  const PictureSize standard{800, 620}, size = parse_size_of(options, standard);
  const TextSize text = text_size(options, size.width);
  PictureNumbers numbers(options.file);
  const std::string samples = samples_of(surface, numbers), grid = grid_of(surface, numbers);
  std::string script = gnuplot_titles(options, size, text) + Palette(options.palette).for_gnuplot() +
                       "unset key\nset tics out nomirror\n";
  if (low < high)
    script +=
        "set contour base\nset cntrparam levels auto 8\nset cntrlabel onecolor\nunset surface\n"
        "set table $contours\nsplot " +
        grid + " with lines\nunset table\nunset contour\nset surface\n";
  // The room without margins and the scale of colours.
  const double across = static_cast<double>(size.width) / text.letter - 20,
               down = static_cast<double>(size.height) / text.line - 4;
  const auto axis = [](const std::string& name, const std::vector<double>& at, bool are_dates, double room) {
    const std::string range =
        "set " + name + "range [" + gnuplot_number(at.front()) + ":" + gnuplot_number(at.back()) + "]\n";
    const std::string dates =
        are_dates ? date_axis(name, at.front(), at.back(), static_cast<std::size_t>(std::max(room, 1.0))) : "";
    return (dates.empty() ? number_axis({name, at.front(), at.back(), false, room, false}) : dates) + range;
  };
  script += axis("x", surface.x, options.x_dates, across) + axis("y", surface.y, options.y_dates, down) +
            number_axis({"cb", low, high, false, down, false});
  script += "plot " + grid + " with image notitle, " + samples +
            " with points pointtype 7 pointsize 0.3 linecolor rgb '#80FFFFFF' notitle";
  if (low < high) script += ", $contours using 1:2 with lines linewidth 1 linecolor rgb 'black' notitle";
  run_gnuplot(script + "\n", numbers, options, standard, text, session);
}

}  // namespace cli
