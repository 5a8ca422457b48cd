// Heat maps, one panel for each matrix.
#include "cli/gnuplot.hpp"
#include "cli/picture.hpp"

#include <algorithm>
#include <cmath>

namespace cli {
namespace {

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

/// 1, 2 or 5 times a power of ten: of so many numbers about ten are shown.
std::size_t round_step(std::size_t count) {
  for (std::size_t power = 1;; power *= 10)
    for (const std::size_t step : {power, 2 * power, 5 * power})
      if (count <= 12 * step) return step;
}

std::string tics(const std::vector<std::string>& names, std::size_t count, const char* axis, bool rotate) {
  std::string script = std::string("set ") + axis + "tics scale 0 out nomirror textcolor rgb 'black'";
  if (rotate && !names.empty()) script += " rotate by -45 left";
  script += " (";
  // At most about forty labels fit.
  const std::size_t step = names.empty() ? round_step(count) : std::max<std::size_t>(1, (count + 39) / 40);
  for (std::size_t i = 0; i < count; i += step) {
    if (i > 0) script += ", ";
    script += tic_text(names.empty() ? std::to_string(i) : i < names.size() ? names[i] : "") + " " + std::to_string(i);
  }
  return script + ")\n";
}

/// "40 of 100 rows", or nothing where all are shown.
std::string share_shown(std::size_t shown, std::size_t all, const char* what) {
  return shown < all ? ", " + std::to_string(shown) + " of " + std::to_string(all) + " " + what : "";
}

// A heat map in characters: gnuplot's own are hard to read.
std::string in_characters(const HeatMap& map, const HeatMapLabels& names, PictureSize size, double low, double high) {
  static constexpr char shades[] = " .:-=+*#%@";
  std::size_t margin = 0;
  for (const std::string& name : names.rows) margin = std::max(margin, std::min<std::size_t>(name.size(), 16));
  const std::size_t beside = margin + 2;
  const std::size_t columns = std::min(map.columns, std::max(size.width, beside + 1) - beside);
  const std::size_t rows = std::min(map.rows, size.height);
  bool has_gaps = false;
  std::string text = map.title.empty() ? "" : map.title + "\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t row = r * map.rows / rows;
    std::string name = row < names.rows.size() ? names.rows[row].substr(0, 16) : "";
    text += std::string(margin - name.size(), ' ') + name + "|";
    for (std::size_t c = 0; c < columns; ++c) {
      const double value = map.values[row * map.columns + c * map.columns / columns];
      const double share = high > low ? (value - low) / (high - low) : 0;
      // What is seen at all differs from what is nothing.
      const int shade = share < 0.01 ? 0 : 1 + std::min(static_cast<int>(share * 9), 8);
      text += std::isfinite(value) ? shades[shade] : '?';
      has_gaps = has_gaps || !std::isfinite(value);
    }
    text += "|\n";
  }
  return text + "from ' ' = " + gnuplot_number(low) + " to '@' = " + gnuplot_number(high) +
         (has_gaps ? ", '?' = NaN or infinite" : "") + share_shown(rows, map.rows, "rows") +
         share_shown(columns, map.columns, "columns") + "\n";
}

/// The name of an axis in a line of its own, so that both stand where the picture has them.
std::string axis_line(const char* axis, const std::string& name) {
  return name.empty() ? "" : std::string(axis) + name + "\n";
}

}  // namespace

std::size_t bytes_per_element(const std::string& file) {
  constexpr std::size_t longest = sizeof "-1.23456789e-308";  // with what stands between two
  return 2 * sizeof(double) + (file == "-" ? 0 : 3 * longest);
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
    const PictureSize size = parse_size_of(options, {78, 40});
    if (!options.title.empty()) session.print_text(options.title + "\n");
    session.print_text(axis_line("down: ", options.y_label) + axis_line("across: ", options.x_label));
    for (const HeatMap& map : maps) session.print_text(in_characters(map, names, size, low, high));
    return;
  }
  const std::size_t across = names.across > 0
                                 ? names.across
                                 : static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(maps.size()))));
  const std::size_t down = (maps.size() + across - 1) / across;
  std::string script = palette;
  if (low < high) script += "set cbrange [" + gnuplot_number(low) + ":" + gnuplot_number(high) + "]\n";
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
    script +=
        gnuplot_titles(panel) + tics(names.columns, map.columns, "x", true) + tics(names.rows, map.rows, "y", false);
    script += "set xrange [-0.5:" + gnuplot_number(static_cast<double>(map.columns) - 0.5) + "]\nset yrange [" +
              gnuplot_number(static_cast<double>(map.rows) - 0.5) + ":-0.5]\n";
    const std::string block = "$map" + std::to_string(i);
    script += block + " << EOD\n";
    for (std::size_t r = 0; r < map.rows; ++r) {
      for (std::size_t c = 0; c < map.columns; ++c)
        script += (c > 0 ? " " : "") + gnuplot_number(map.values[r * map.columns + c]);
      script += "\n";
    }
    script += "EOD\nplot " + block + " matrix with image\n";
  }
  if (maps.size() > 1) script += "unset multiplot\n";
  const PictureSize standard{std::min<std::size_t>(420 * across + 280, 2400),
                             std::min<std::size_t>(380 * down + 160, 2400)};
  run_gnuplot(std::move(script), options, standard, session);
}

}  // namespace cli
