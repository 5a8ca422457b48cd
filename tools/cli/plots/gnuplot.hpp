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

/// The format of a picture: the requested one, that of a suffix, or characters for "-". Throws Error(usage).
PictureFormat format_of(const PictureOptions& options);
bool is_text(const PictureOptions& options);

/// The size of text. A picture in characters has letters and lines of 1.
struct TextSize {
  double points = 0;
  double em = 1, letter = 1, line = 1;  ///< pixels: of the font, the width of a digit, the height of a line
};
/// The requested size, or one that suits a picture (or a panel of it) of that width.
TextSize text_size(const PictureOptions& options, std::size_t width);

/// The numbers that a script draws. gnuplot reads them as they are in memory: as text they would take it fifty times
/// as long.
class PictureNumbers {
 public:
  /// label: of errors.
  explicit PictureNumbers(std::string label);
  ~PictureNumbers();
  PictureNumbers(const PictureNumbers&) = delete;
  PictureNumbers& operator=(const PictureNumbers&) = delete;

  /// Adds numbers, and returns the data source of a plot command. layout: of a binary file, such as "record=(10)
  /// format='%2float64'". NaN is a gap. Throws Error(io).
  std::string add(const std::vector<double>& numbers, const std::string& layout);
  const std::string& label() const noexcept { return label_; }
  /// A file from its beginning.
  int descriptor() const;

 private:
  std::string label_;
  int file_;
  std::size_t bytes_ = 0;
};

/// Runs gnuplot on a script. The picture appears in options.file whole or not at all; text is printed on standard
/// output. The script draws; the terminal and the output are set here. text: as for the titles of the script.
void run_gnuplot(std::string script, const PictureNumbers& numbers, const PictureOptions& options, PictureSize standard,
                 const TextSize& text, Session& session);

/// Text as a gnuplot string in single quotes.
std::string gnuplot_quoted(const std::string& text);
/// The same, wrapped to `room` letters.
std::string gnuplot_lines(const std::string& text, double room);
/// All digits, or NaN.
std::string gnuplot_number(double x);
/// The format with all digits for numbers that span little compared with their size, such as the seconds of one day
/// since 1970. Empty for others.
std::string far_format(double low, double high);
/// The lines of a script for the range and the tics of an axis of days since 1970, which are shown as dates. room:
/// characters along the x axis, lines along the y axis. Empty for days that are too far away.
std::string date_axis(const std::string& axis, double low, double high, std::size_t room);

/// An axis with numbers at round steps.
struct NumberAxis {
  std::string name;  ///< "x", "y" or "cb"
  double low = 0, high = 0;
  bool is_log = false;
  double room = 0;       ///< along the axis: letters if its numbers are side by side, else lines
  bool is_text = false;  ///< gnuplot then extends the axis to the next numbers
};
/// The line of a script for the numbers that fit; empty for numbers that are too close to each other.
/// widest: the letters of the longest one.
std::string number_axis(const NumberAxis& axis, std::size_t* widest = nullptr);

/// The lines of a script for the title and the labels of the axes.
std::string gnuplot_titles(const PictureOptions& options, PictureSize size, const TextSize& text);

/// The colours of values from `low` to `high`.
struct ColourScale {
  double low, high;
  bool is_one_value() const noexcept { return !(low < high); }
  /// 0 to 1; values outside have the colour of the nearer end.
  double place_of(double value) const;
};
/// Heat maps in a file.
void draw_panels(const std::vector<HeatMap>& maps, std::size_t across, const ColourScale& scale,
                 const PictureOptions& options, Session& session);

/// Throws Error(data) for numbers too large, or too close to each other, for gnuplot.
void expect_drawable(double low, double high);

/// Throws Error(data) if there is nothing to draw: no value is `such`.
void expect_something(bool is_there, const std::string& such = "a finite number");

}  // namespace cli
