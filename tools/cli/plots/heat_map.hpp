#pragma once
// Heat maps in characters; those of gnuplot are too coarse to read.

#include "cli/plots/picture.hpp"

namespace cli {

/// The colours of values from `low` to `high`.
struct ColourScale {
  double low, high;
  bool is_one_value() const noexcept { return !(low < high); }
  /// 0 to 1; values outside have the colour of the nearer end.
  double place_of(double value) const;
};

/// Prints all panels, labels and the legend on standard output.
void print_heat_maps(const std::vector<HeatMap>& maps, const ColourScale& scale, const PictureOptions& options,
                     Results& results);

}  // namespace cli
