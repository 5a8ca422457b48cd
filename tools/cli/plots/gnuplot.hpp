#pragma once
// gnuplot, the helper program that draws, and text in the cells of a terminal.

#include "cli/plots/picture.hpp"

#include <string>
#include <vector>

namespace cli {

/// A letter with its accents, and the 1 or 2 cells that it fills.
struct Letter {
  std::string text;
  std::size_t width;
};
/// The letters of printable text.
std::vector<Letter> letters_of(const std::string& text);

/// The number of cells that the text fills.
std::size_t width_of(const std::string& text);

/// The text in at most `most` cells: whole, or its two ends with an ellipsis between.
std::string shortened(const std::string& text, std::size_t most);

/// Lines of at most `most` cells, broken at blanks if possible.
std::vector<std::string> wrapped(const std::string& text, std::size_t most);

/// Width and height of a picture.
struct PictureSize {
  std::size_t width, height;
};
/// Parses "800x500"; empty: `standard`. Throws Error(usage).
PictureSize parse_size_of(const PictureOptions& options, PictureSize standard);
/// The size of the terminal on standard output, without the lines of a prompt; no terminal: `standard`.
PictureSize terminal_size(PictureSize standard);
/// Is standard output a terminal with colours? Not with NO_COLOR or TERM=dumb.
bool has_colours();

bool is_svg(const PictureOptions& options);

/// Runs gnuplot on a script. The picture appears in options.file whole or not at all; "-" prints it as characters on
/// standard output. The script draws; the terminal and the output are set here.
void run_gnuplot(std::string script, const PictureOptions& options, PictureSize standard, Session& session);

/// Viridis (van der Walt and Smith 2015) in nine steps.
inline constexpr const char* gnuplot_palette =
    "set palette defined (0 '#440154', 1 '#472D7B', 2 '#3B528B', 3 '#2C728E', 4 '#21918C', 5 '#28AE80', 6 '#5EC962', "
    "7 '#ADDC30', 8 '#FDE725')\n";

/// Text as a gnuplot string in single quotes.
std::string gnuplot_quoted(const std::string& text);
/// The same, wrapped to `room` pixels or characters.
std::string gnuplot_lines(const std::string& text, const PictureOptions& options, std::size_t room);
/// All digits, or NaN for a gap.
std::string gnuplot_number(double x);
/// The format with all digits for numbers that span little compared with their size, such as the seconds of one day
/// since 1970. Empty for others.
std::string far_format(double low, double high);
/// The lines of a script for the range and the tics of an axis of days since 1970, which are shown as dates. room:
/// characters along the x axis, lines along the y axis. Empty for days that are too far away.
std::string date_axis(const std::string& axis, double low, double high, std::size_t room);
/// The lines of a script for the title and the labels of the axes.
std::string gnuplot_titles(const PictureOptions& options, PictureSize size);

/// Throws Error(data) for numbers too large, or too close to each other, for gnuplot.
void expect_drawable(double low, double high);

/// Throws Error(data) if there is nothing to draw: no value is `such`.
void expect_something(bool is_there, const std::string& such = "a finite number");

}  // namespace cli
