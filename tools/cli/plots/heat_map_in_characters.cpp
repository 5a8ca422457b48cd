#include "cli/plots/gnuplot.hpp"
#include "cli/plots/heat_map.hpp"
#include "cli/plots/letters.hpp"
#include "cli/printable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

namespace cli {
namespace {

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

}  // namespace

double ColourScale::place_of(double value) const {
  if (is_one_value()) return 0.5;
  // Halves, because the difference of two numbers may overflow.
  return std::clamp((value / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0);
}

void print_heat_maps(const std::vector<HeatMap>& maps, const ColourScale& scale, const PictureOptions& options,
                     Results& results) {
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

}  // namespace cli
