#pragma once
// Pictures: curves, points, bands, bars and heat maps, drawn by gnuplot into a file or in characters on the terminal.

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <attn/core/tensor.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// A part of an axis; without an end, as far as the data go.
struct AxisRange {
  std::optional<double> from, to;
};

/// How and where to draw.
struct PictureOptions {
  std::string file;  ///< .png, .svg or .pdf; - for characters on standard output
  std::string title, x_label, y_label;
  std::string size;  ///< "800x500" pixels; characters for -; empty: as suits
  bool overwrite = false;
  bool log_x = false, log_y = false;
  AxisRange x_range = {}, y_range = {};  ///< of a graph
  AxisRange colour_range = {};           ///< of a heat map
  std::optional<double> alpha = {};      ///< opacity of points; none: by their number
};

/// Does the suffix name a format of pictures?
bool is_picture_name(const std::string& file);

/// Throws what drawing would throw for the file and the size, before anything is computed: Error(usage) for a suffix
/// that is none of the formats, Error(create) when the file exists or cannot be made. Nothing is left of it.
void expect_picture(const PictureOptions& options);

/// One set of points.
struct Series {
  enum class Style { line, points, band, bars };
  Style style = Style::line;
  std::string label;                  ///< empty: not in the legend
  std::vector<double> x, y;           ///< of the same length; NaN leaves a gap
  std::vector<double> upper;          ///< of a band, whose lower border is y
  std::vector<double> widths;         ///< of bars, around x
  std::optional<std::size_t> colour;  ///< sets of one number share one; none: that of its place among all
};

/// A graph of one or more sets of points. Notes how many of them have no place on the axes. Throws Error(data) when
/// none has, Error(helper) when gnuplot is not installed, and what expect_picture() throws.
void draw_graph(std::vector<Series> series, const PictureOptions& options, Session& session);

/// All elements in row-major order; text for labels, numbers without trailing zeros.
std::vector<double> numbers_of(const attn::TensorView& x);
std::vector<std::string> labels_of(const attn::TensorView& x);

/// Points from left to right, those without an x at the end.
void sort_by_x(Series& series);

/// Counts of the values of each set, in bins from the smallest to the largest of all. The bins have one width, on a
/// logarithmic axis in logarithms; 0 bins: width 2 IQR / n^(1/3) (Freedman and Diaconis 1981), at least
/// log2(n) + 1 of them (Sturges 1926), and one for each of few whole numbers. Equal values are one bar. Left out are
/// NaN, infinity and, on a logarithmic axis, what is not above 0. Throws Error(data) when nothing is left.
std::vector<Series> histograms_of(const std::vector<std::vector<double>>& sets, std::size_t bins, bool log_x);

/// A matrix (rows, columns) as colours, the first row on top, in a panel of its own.
struct HeatMap {
  std::string title;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
  std::vector<std::string> row_names, column_names;  ///< empty: numbered
};
/// Panels on one scale of colours. across: side by side; 0: as many as make about a square.
void draw_heat_maps(const std::vector<HeatMap>& maps, std::size_t across, const PictureOptions& options,
                    Session& session);

}  // namespace cli
