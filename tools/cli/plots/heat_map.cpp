// Heat maps, one panel for each matrix, and functions of two variables: colours, contours, and the samples.
// Those on a terminal are made here, because those of gnuplot are too coarse to read.

#include "cli/plots/gnuplot.hpp"
#include "cli/plots/picture.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/memory.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

namespace cli {
namespace {

/// The colours of values from `low` to `high`.
struct ColourScale {
  double low, high;
  bool is_one_value() const noexcept { return !(low < high); }
  /// 0 to 1; values outside have the colour of the nearer end.
  double place_of(double value) const {
    if (is_one_value()) return 0.5;
    // Halves, because the difference of two numbers may overflow.
    return std::clamp((value / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0);
  }
};

constexpr std::size_t most_cells = 16;  // cells

constexpr char shades[] = " .:-=+*#%@";
// The colours closest to viridis among the 256 of most terminals.
constexpr int viridis[] = {53, 61, 60, 24, 31, 30, 36, 35, 78, 77, 113, 112, 148, 184, 220};

std::string coloured(std::size_t colour, const std::string& text) {
  return "\x1b[48;5;" + std::to_string(viridis[colour]) + "m" + text + "\x1b[0m";
}

std::string nine_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// The appearance of values.
struct Look {
  ColourScale scale;
  bool in_colour;

  std::string cell(double value, std::size_t width) const {
    if (!std::isfinite(value)) return std::string(width, '?');
    const double place = scale.place_of(value);
    if (in_colour)
      return coloured(std::min(static_cast<std::size_t>(place * std::size(viridis)), std::size(viridis) - 1),
                      std::string(width, ' '));
    // Every visible value differs from a blank.
    return std::string(width, shades[place < 0.01 ? 0 : 1 + std::min(static_cast<int>(place * 9), 8)]);
  }

  std::string legend() const {
    const std::string low = nine_digits(scale.low), high = nine_digits(scale.high);
    if (in_colour) {
      std::string bar;
      for (std::size_t colour = 0; colour < std::size(viridis); ++colour) bar += coloured(colour, " ");
      return scale.is_one_value() ? cell(scale.low, 2) + " = " + low : low + " " + bar + " " + high;
    }
    if (scale.is_one_value()) return "'" + cell(scale.low, 1) + "' = " + low;
    return "from ' ' = " + low + " to '@' = " + high;
  }
};

/// The rows and columns shown, and the cells for each column.
struct Layout {
  std::size_t margin = 0, rows = 0, columns = 0, cell = 1;
  bool has_upright_names = false;

  Layout(const HeatMap& map, PictureSize size, bool in_colour) {
    for (const std::string& name : map.row_names) margin = std::max(margin, std::min(width_of(name), most_cells));
    const std::size_t beside = margin + 2, room = std::max(size.width, beside + 1) - beside;
    std::size_t longest = 0, widest_letter = 1;
    for (const std::string& name : map.column_names) {
      longest = std::max(longest, std::min(width_of(name), most_cells));
      for (const Letter& letter : letters_of(name)) widest_letter = std::max(widest_letter, letter.width);
    }
    constexpr std::size_t readable = 6;  // letters of a shortened name
    if (const std::size_t fair = std::min(longest + 1, room / map.columns);
        longest > 0 && fair >= std::min(readable, longest + 1))
      cell = fair;
    else if (in_colour && 2 * map.columns <= room)
      cell = 2;
    else
      cell = widest_letter;
    has_upright_names = longest > 0 && cell < std::min(readable, longest + 1);
    columns = std::min(map.columns, std::max<std::size_t>(room / cell, 1));
    rows = std::min(map.rows, size.height);
  }

  std::size_t row(const HeatMap& map, std::size_t r) const { return r * map.rows / rows; }
  std::size_t column(const HeatMap& map, std::size_t c) const { return c * map.columns / columns; }
};

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = width_of(text);
  return text + std::string(used < width ? width - used : 0, ' ');
}

void append_line(std::string& text, const std::string& line) {
  text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

/// The names of the columns on one line, or vertically if they are wider than a column.
std::string column_names(const HeatMap& map, const Layout& layout) {
  std::vector<std::vector<Letter>> names;
  std::size_t lines = 0;
  for (std::size_t c = 0; c < layout.columns; ++c) {
    names.push_back(letters_of(shortened(map.column_names[layout.column(map, c)], most_cells)));
    lines = std::max(lines, names.back().size());
  }
  std::string text;
  const std::string margin(layout.margin + 1, ' ');
  if (!layout.has_upright_names) {
    std::string line = margin;
    for (const std::vector<Letter>& name : names) {
      std::string whole;
      for (const Letter& letter : name) whole += letter.text;
      line += padded(shortened(whole, layout.cell - 1), layout.cell);
    }
    append_line(text, line);
    return text;
  }
  for (std::size_t l = 0; l < lines; ++l) {
    std::string line = margin;
    for (const std::vector<Letter>& name : names) {
      const std::size_t first = lines - name.size();  // aligned with the map
      line += padded(l < first ? "" : name[l - first].text, layout.cell);
    }
    append_line(text, line);
  }
  return text;
}

std::string in_characters(const HeatMap& map, const Layout& layout, const Look& look) {
  std::string text = map.title.empty() ? "" : printable(map.title) + "\n";
  if (!map.column_names.empty()) text += column_names(map, layout);
  for (std::size_t r = 0; r < layout.rows; ++r) {
    const std::size_t row = layout.row(map, r);
    const std::string name = map.row_names.empty() ? "" : shortened(map.row_names[row], most_cells);
    text += std::string(layout.margin - width_of(name), ' ') + name + "|";
    for (std::size_t c = 0; c < layout.columns; ++c)
      text += look.cell(map.values[row * map.columns + layout.column(map, c)], layout.cell);
    text += "|\n";
  }
  return text;
}

/// ", 40 of 100 rows", or empty if all are shown.
std::string share_shown(std::size_t shown, std::size_t all, const char* what) {
  return shown < all ? ", " + std::to_string(shown) + " of " + std::to_string(all) + " " + what : "";
}

/// The name of an axis on a line of its own.
std::string axis_line(const char* axis, const std::string& name) {
  return name.empty() ? "" : axis + printable(name) + "\n";
}

/// Prints all panels, labels and the legend on standard output.
void print_heat_maps(const std::vector<HeatMap>& maps, const ColourScale& scale, const PictureOptions& options,
                     ResultWriter& results) {
  const Look look{scale, has_colours()};
  const PictureSize terminal = terminal_size({78, 40});
  const PictureSize size = parse_size_of(options, {terminal.width, std::max<std::size_t>(terminal.height, 40)});
  std::string text = options.title.empty() ? "" : printable(options.title) + "\n";
  text += axis_line("down: ", options.y_label) + axis_line("across: ", options.x_label);
  // One legend below the last panel, and the share of each panel that is shown.
  bool has_gaps = false;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const HeatMap& map = maps[i];
    const Layout layout(map, size, look.in_colour);
    text += in_characters(map, layout, look);
    has_gaps =
        has_gaps || std::any_of(map.values.begin(), map.values.end(), [](double x) { return !std::isfinite(x); });
    const std::string share =
        share_shown(layout.rows, map.rows, "rows") + share_shown(layout.columns, map.columns, "columns");
    if (i + 1 == maps.size())
      text += look.legend() + (has_gaps ? ", '?' = NaN or infinite" : "") + share + "\n";
    else if (!share.empty())
      text += share.substr(2) + "\n";
  }
  results.print_text(text);
}

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
  const PictureSize size = parse_size_of(options, standard);
  if (options.x_dates) script += date_axis("x", surface.x.front(), surface.x.back(), size.width / 8 - 20);
  if (options.y_dates) script += date_axis("y", surface.y.front(), surface.y.back(), size.height / 18 - 4);
  script += "set x" + ends(surface.x) + "set y" + ends(surface.y);
  script +=
      "plot $surface using 1:2:3 with image, $samples with points pointtype 7 pointsize 0.3 linecolor rgb '#80FFFFFF'";
  if (low < high) script += ", $contours using 1:2 with lines linewidth 1 linecolor rgb 'black'";
  run_gnuplot(script + "\n", options, standard, session);
}

}  // namespace cli
