// Heat maps: their scale of colours, and those in characters, because those of gnuplot are too coarse to read.

#include "cli/plots/gnuplot.hpp"
#include "cli/plots/picture.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/memory.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace cli {
namespace {

constexpr std::size_t most_cells = 16;  // cells

constexpr char shades[] = " .:-=+*#%@";
constexpr std::size_t colour_steps = 15;  // of the legend

std::string coloured(int colour, const std::string& text) {
  return "\x1b[48;5;" + std::to_string(colour) + "m" + text + "\x1b[0m";
}

/// Three digits, and as many more as tell the ends of the scale apart.
std::string number_of(double value, const ColourScale& scale) {
  const double farthest = std::max(std::abs(scale.low), std::abs(scale.high));
  const double closeness = std::log10(farthest / (scale.high - scale.low));
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", static_cast<int>(3 + std::clamp(std::floor(closeness), 0., 14.)), value);
  return text;
}

/// The appearance of values.
struct Look {
  ColourScale scale;
  Palette palette;
  bool in_colour;

  std::string cell(double value, std::size_t width) const {
    if (!std::isfinite(value)) return std::string(width, '?');
    const double place = scale.place_of(value);
    if (in_colour) return coloured(palette.for_terminal(place), std::string(width, ' '));
    // Every visible value differs from a blank.
    return std::string(width, shades[place < 0.01 ? 0 : 1 + std::min(static_cast<int>(place * 9), 8)]);
  }

  std::string legend() const {
    const std::string low = number_of(scale.low, scale), high = number_of(scale.high, scale);
    if (in_colour) {
      std::string bar;
      for (std::size_t step = 0; step < colour_steps; ++step)
        bar += coloured(palette.for_terminal((static_cast<double>(step) + 0.5) / colour_steps), " ");
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
  const Look look{scale, Palette(options.palette), has_colours()};
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
    if (i + 1 == maps.size() && options.legend != Legend::none)
      text += look.legend() + (has_gaps ? ", '?' = NaN or infinite" : "") + share + "\n";
    else if (!share.empty())
      text += share.substr(2) + "\n";
  }
  results.print_text(text);
}

ColourScale scale_of(const std::vector<HeatMap>& maps, const PictureOptions& options) {
  double low = INFINITY, high = -INFINITY;
  for (const HeatMap& map : maps)
    for (const double value : map.values)
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  expect_something(low <= high);
  if (Palette(options.palette).has_middle()) high = std::max(std::abs(low), std::abs(high)), low = -high;
  return {options.colour_range.from.value_or(low), options.colour_range.to.value_or(high)};
}

}  // namespace

double ColourScale::place_of(double value) const {
  if (is_one_value()) return 0.5;
  // Halves, because the difference of two numbers may overflow.
  return std::clamp((value / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0);
}

void draw_heat_maps(const std::vector<HeatMap>& maps, std::size_t across, const PictureOptions& options,
                    Session& session) {
  std::size_t values = 0;
  for (const HeatMap& map : maps) values += map.values.size();
  // The tensor as numbers, and the maps.
  const auto counted = attn::memory_account().take(values * 2 * sizeof(double), "picture");
  const ColourScale scale = scale_of(maps, options);
  if (is_text(options)) return print_heat_maps(maps, scale, options, session.results);
  expect_drawable(scale.low, scale.high);
  if (across == 0) {  // about a square, with few gaps
    const auto down = static_cast<std::size_t>(std::sqrt(static_cast<double>(maps.size())));
    across = (maps.size() + down - 1) / down;
  }
  draw_panels(maps, across, scale, options, session);
}

}  // namespace cli
