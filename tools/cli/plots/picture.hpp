#pragma once
// Pictures: curves, points, bands, bars and heat maps, drawn by gnuplot into a file or as characters on the terminal.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <attn/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// A part of an axis; a missing end follows the data.
struct AxisRange {
  std::optional<double> from, to;
};

enum class PictureFormat { text, png, svg, pdf };

/// The place of the legend. automatic: in a corner where no data are, else on top.
enum class Legend { automatic, upper_right, upper_left, lower_right, lower_left, right, top, bottom, none };

/// How and where to draw.
struct PictureOptions {
  std::string file;  ///< .png, .svg or .pdf; - for standard output
  std::string title, x_label, y_label;
  std::string size;  ///< "800x500" pixels; characters for -; empty: automatic
  bool overwrite = false;
  bool log_x = false, log_y = false;
  AxisRange x_range = {}, y_range = {};      ///< of a graph
  AxisRange colour_range = {};               ///< of a heat map
  std::optional<double> alpha = {};          ///< opacity of points; none: from their number
  bool x_dates = false, y_dates = false;     ///< days since 1970-01-01, shown as dates
  std::optional<PictureFormat> format = {};  ///< none: by the suffix; characters for -
  Legend legend = Legend::automatic;         ///< of a graph; without one, a heat map has no scale of colours
  std::optional<double> font_size = {};      ///< points; none: from the width
  std::string palette = "viridis";           ///< one of palette_names(), reversed by an _r behind it
};

/// The names of the palettes of heat maps.
std::vector<std::string> palette_names();

/// The colours of a heat map.
class Palette {
 public:
  /// Throws Error(usage) for an unknown name.
  explicit Palette(const std::string& name);
  /// Does it have a colour of its own in the middle, for 0?
  bool has_middle() const noexcept { return has_middle_; }
  std::string for_gnuplot() const;       ///< the line of a script
  int for_terminal(double place) const;  ///< one of 256 colours; place: 0 to 1

 private:
  std::vector<unsigned> colours_;  ///< 0xRRGGBB
  std::vector<int> terminal_;      ///< colours of a terminal, in equal steps
  bool has_middle_ = false;
};

/// Is the suffix that of a picture?
bool is_picture_name(const std::string& file);

/// Throws the errors of drawing that are known before any computation: Error(usage) for another suffix or a wrong size,
/// Error(create) if the file exists or cannot be made. Leaves no file.
void expect_picture(const PictureOptions& options);

/// One set of points.
struct Series {
  enum class Style { line, points, band, bars, density };
  Style style = Style::line;
  std::string label;                  ///< empty: not in the legend
  std::vector<double> x, y;           ///< of the same length; NaN leaves a gap
  std::vector<double> upper;          ///< of a band, whose lower border is y; of a density, 0 to 255
  std::vector<double> widths;         ///< of bars, around x
  std::optional<std::size_t> colour;  ///< number of the colour; none: by its place among all sets
  bool has_crosses = false;           ///< points are crosses, not dots
};

/// A graph of one or more sets of points; very many points become a density. Notes how many points the axes cannot
/// show. Throws Error(data) if they show none, Error(helper) if gnuplot is not installed, and the errors of
/// expect_picture().
void draw_graph(std::vector<Series> series, const PictureOptions& options, Session& session);

/// All elements as labels, in row-major order; numbers without trailing zeros.
std::vector<double> numbers_of(const attn::TensorView& x);
std::vector<std::string> labels_of(const attn::TensorView& x);

/// Sorts points by x, those without an x last.
void sort_by_x(Series& series);

/// Counts of the values of each set, in bins from the smallest to the largest of all. The bins have one width, on a
/// logarithmic axis in logarithms; 0 bins: width 2 IQR / n^(1/3) (Freedman and Diaconis 1981), at least
/// log2(n) + 1 of them (Sturges 1926), and one for each of few integers. Equal values are one bar. NaN, infinity
/// and, on a logarithmic axis, values not above 0 are omitted. Throws Error(data) if no value remains.
std::vector<Series> histograms_of(const std::vector<std::vector<double>>& sets, std::size_t bins, bool log_x);

/// The numbers of rows or columns: first, first + step, ...
struct Numbering {
  std::int64_t first = 0, step = 1;
  std::int64_t at(std::size_t i) const { return first + static_cast<std::int64_t>(i) * step; }
  bool operator==(const Numbering& other) const { return first == other.first && step == other.step; }
};

/// A matrix (rows, columns) as colours, the first row on top, in a panel of its own.
struct HeatMap {
  std::string title;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
  std::vector<std::string> row_names = {}, column_names = {};  ///< empty: numbered
  Numbering row_numbers = {}, column_numbers = {};
};
/// A function z(x, y) on a grid, and samples on it.
struct Surface {
  std::vector<double> x, y, z;  ///< (columns), (rows), (rows, columns), the first row at y[0]
  std::vector<double> samples_x, samples_y;
};
/// Contours over colours; on the terminal colours alone.
void draw_contours(const Surface& surface, const PictureOptions& options, Session& session);

/// Panels with one scale of colours. across: panels per row; 0: about a square.
void draw_heat_maps(const std::vector<HeatMap>& maps, std::size_t across, const PictureOptions& options,
                    Session& session);

}  // namespace cli
