// A function of two variables: colours, contours, and the samples.
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
  HeatMap map{"", surface.y.size(), surface.x.size(), {}, {}, {}};
  for (const double x : surface.x) map.column_names.push_back(three_digits(x));
  for (std::size_t row = map.rows; row-- > 0;) {
    map.row_names.push_back(three_digits(surface.y[row]));
    const auto first = surface.z.begin() + static_cast<std::ptrdiff_t>(row * map.columns);
    map.values.insert(map.values.end(), first, first + static_cast<std::ptrdiff_t>(map.columns));
  }
  draw_heat_maps({map}, 1, options, session);
}

/// Samples at most as many as a picture can show, evenly from all.
std::string points_of(const Surface& surface) {
  constexpr std::size_t most = 5000;
  const std::size_t n = surface.samples_x.size(), shown = std::min(n, most);
  std::string data = "$samples << EOD\n";
  for (std::size_t k = 0; k < shown; ++k) {
    const std::size_t i = k * n / shown;
    data += gnuplot_number(surface.samples_x[i]) + " " + gnuplot_number(surface.samples_y[i]) + "\n";
  }
  return data + "EOD\n";
}

}  // namespace

void draw_contours(const Surface& surface, const PictureOptions& options, Session& session) {
  if (options.file == "-") return draw_in_characters(surface, options, session);
  double low = INFINITY, high = -INFINITY;
  for (const double z : surface.z)
    if (std::isfinite(z)) low = std::min(low, z), high = std::max(high, z);
  expect_something(low <= high);
  expect_drawable(low, high);
  const PictureSize standard{800, 620};
  std::string script = gnuplot_titles(options, parse_size_of(options, standard)) + gnuplot_palette + points_of(surface);
  script += "$surface << EOD\n";
  for (std::size_t row = 0; row < surface.y.size(); ++row) {
    for (std::size_t column = 0; column < surface.x.size(); ++column)
      script += gnuplot_number(surface.x[column]) + " " + gnuplot_number(surface.y[row]) + " " +
                gnuplot_number(surface.z[row * surface.x.size() + column]) + "\n";
    script += "\n";
  }
  script += "EOD\nunset key\nset tics out nomirror\n";
  if (low < high)
    script +=
        "set contour base\nset cntrparam levels auto 8\nset cntrlabel onecolor\nunset surface\n"
        "set table $contours\nsplot $surface using 1:2:3 with lines\nunset table\nunset contour\nset surface\n";
  const auto ends = [](const std::vector<double>& at) {
    return "range [" + gnuplot_number(at.front()) + ":" + gnuplot_number(at.back()) + "]\n";
  };
  script += "set x" + ends(surface.x) + "set y" + ends(surface.y);
  script +=
      "plot $surface using 1:2:3 with image, $samples with points pointtype 7 pointsize 0.3 linecolor rgb '#80FFFFFF'";
  if (low < high) script += ", $contours using 1:2 with lines linewidth 1 linecolor rgb 'black'";
  run_gnuplot(script + "\n", options, standard, session);
}

}  // namespace cli
