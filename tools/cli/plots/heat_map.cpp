// Heat maps, one panel for each matrix.
#include "cli/plots/heat_map.hpp"

#include "cli/plots/gnuplot.hpp"
#include "cli/plots/letters.hpp"

#include <attn/core/memory.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cli {
namespace {

constexpr std::size_t longest_name = 24;                     // letters
constexpr std::size_t letter_width = 8, letter_height = 16;  // pixels

/// Text for tics, where gnuplot takes % for a number format.
std::string tic_text(const std::string& text) {
  std::string plain;
  for (const char c : text) plain += c == '%' ? "%%" : std::string(1, c);
  return gnuplot_quoted(plain);
}

/// The step, 1, 2 or 5 times a power of ten, that shows at most `most` of `count` numbers.
std::size_t round_step(std::size_t count, std::size_t most) {
  for (std::size_t power = 1;; power *= 10)
    for (const std::size_t step : {power, 2 * power, 5 * power})
      if (count <= most * step) return step;
}

/// Names or numbers of an axis: all, or as many as fit into `pixels`.
std::string tics(const std::vector<std::string>& names, std::size_t count, char axis, std::size_t pixels) {
  std::vector<std::string> shown;
  std::size_t longest = names.empty() ? std::to_string(count).size() : 0;
  for (const std::string& name : names) {
    shown.push_back(shortened(name, longest_name));
    longest = std::max(longest, width_of(shown.back()));
  }
  const std::size_t lying = (longest + 2) * letter_width;
  // Names too long for one line are turned.
  const bool turns = axis == 'x' && !names.empty() && lying * count > pixels;
  const std::size_t room = axis == 'x' && !turns ? lying : turns ? 3 * letter_height / 2 : letter_height;
  const std::size_t most = std::max<std::size_t>(pixels / room, 1);
  const std::size_t step =
      names.empty() ? round_step(count, std::min<std::size_t>(most, 12)) : (count + most - 1) / most;
  std::string script = std::string("set ") + axis + "tics scale 0 out nomirror textcolor rgb 'black'" +
                       (turns ? " rotate by -45 left (" : " norotate (");
  for (std::size_t i = 0; i < count; i += step)
    script += (i > 0 ? ", " : "") + tic_text(names.empty() ? std::to_string(i) : shown[i]) + " " + std::to_string(i);
  return script + ")\n";
}

/// The number of pixel rows or columns for `count` rows or columns. gnuplot cannot draw a single one (it becomes two of
/// half the size) and at most 32767; no picture shows as many.
std::size_t pixels_for(std::size_t count) { return count == 1 ? 2 : std::min<std::size_t>(count, 10000); }

/// The values as a gnuplot image, with pixels centred on integers.
std::string image(const HeatMap& map, const std::string& block, bool is_svg) {
  const std::size_t down = pixels_for(map.rows), across = pixels_for(map.columns);
  std::string script = block + " << EOD\n";
  for (std::size_t r = 0; r < down; ++r) {
    for (std::size_t c = 0; c < across; ++c)
      script +=
          (c > 0 ? " " : "") + gnuplot_number(map.values[r * map.rows / down * map.columns + c * map.columns / across]);
    script += "\n";
  }
  const auto place = [](const char* column, std::size_t count, std::size_t pixels) {
    return std::string("((") + column + "+0.5)*" + std::to_string(count) + "/" + std::to_string(pixels) + ".0-0.5)";
  };
  // Viewers blur the pixels of a small image in an SVG, so each becomes a rectangle.
  const bool is_small = down * across <= 10000;
  return script + "EOD\nplot " + block + " matrix using " + place("$1", map.columns, across) + ":" +
         place("$2", map.rows, down) + ":3 with image" + (is_svg && is_small ? " pixels" : "") + "\n";
}

std::string panel(const HeatMap& map, const std::string& block, const PictureOptions& options, PictureSize size) {
  // The approximate margins around the colours.
  const std::size_t across = std::max<std::size_t>(size.width, 200) - 150,
                    down = std::max<std::size_t>(size.height, 150) - 100;
  std::string script = gnuplot_titles(options, size) + tics(map.column_names, map.columns, 'x', across) +
                       tics(map.row_names, map.rows, 'y', down);
  script += "set xrange [-0.5:" + gnuplot_number(static_cast<double>(map.columns) - 0.5) + "]\nset yrange [" +
            gnuplot_number(static_cast<double>(map.rows) - 0.5) + ":-0.5]\n";
  return script + image(map, block, is_svg(options));
}

ColourScale scale_of(const std::vector<HeatMap>& maps, const AxisRange& range) {
  ColourScale scale{INFINITY, -INFINITY};
  for (const HeatMap& map : maps)
    for (const double value : map.values)
      if (std::isfinite(value)) scale.low = std::min(scale.low, value), scale.high = std::max(scale.high, value);
  expect_something(scale.low <= scale.high);
  return {range.from.value_or(scale.low), range.to.value_or(scale.high)};
}

}  // namespace

void draw_heat_maps(const std::vector<HeatMap>& maps, std::size_t across, const PictureOptions& options,
                    Session& session) {
  std::size_t gaps = 0, values = 0;
  for (const HeatMap& map : maps) values += map.values.size();
  constexpr std::size_t longest = sizeof "-1.2345678901234567e-308";  // with a separator
  const std::size_t bytes_per_element = 2 * sizeof(double) + (options.file == "-" ? 0 : 3 * longest);
  const auto counted = attn::memory_account().take(values * bytes_per_element, "picture");
  const ColourScale scale = scale_of(maps, options.colour_range);
  if (options.file == "-") return print_heat_maps(maps, scale, options, session.results);
  expect_drawable(scale.low, scale.high);
  if (across == 0) across = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(maps.size()))));
  const std::size_t down = (maps.size() + across - 1) / across;
  const PictureSize standard{std::min<std::size_t>(420 * across + 280, 2400),
                             std::min<std::size_t>(380 * down + 160, 2400)};
  const PictureSize size = parse_size_of(options, standard);
  for (const HeatMap& map : maps) {
    for (const auto& [count, what] : {std::pair(map.rows, "rows"), std::pair(map.columns, "columns")})
      if (pixels_for(count) < count)
        session.report.note(std::to_string(pixels_for(count)) + " of " + std::to_string(count) + " " + what +
                            " are drawn");
    gaps += static_cast<std::size_t>(
        std::count_if(map.values.begin(), map.values.end(), [](double x) { return !std::isfinite(x); }));
  }
  if (gaps > 0)
    session.report.note(std::to_string(gaps) + " of " + std::to_string(values) +
                        " values are NaN or infinite: they are grey");
  std::string script = gnuplot_palette;
  const std::string format = far_format(scale.low, scale.high);
  script += "set format cb '" + (format.empty() ? "%g" : format) + "'\n";
  if (!scale.is_one_value())
    script += "set cbrange [" + gnuplot_number(scale.low) + ":" + gnuplot_number(scale.high) + "]\n";
  script +=
      "unset key\nset border linecolor rgb '#888888'\nset cbtics textcolor rgb 'black'\n"
      "set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb '#BBBBBB' fillstyle solid noborder\n";
  if (maps.size() > 1) {
    script += "set multiplot layout " + std::to_string(down) + "," + std::to_string(across);
    if (!options.title.empty()) script += " title " + gnuplot_lines(options.title, options, size.width);
    script += "\n";
  }
  for (std::size_t i = 0; i < maps.size(); ++i) {
    PictureOptions one = options;
    if (maps.size() > 1) one.title = maps[i].title;
    script += panel(maps[i], "$map" + std::to_string(i), one, {size.width / across, size.height / down});
  }
  if (maps.size() > 1) script += "unset multiplot\n";
  run_gnuplot(std::move(script), options, standard, session);
}

}  // namespace cli
