#pragma once
// Heat maps in characters, which gnuplot draws too coarsely to read.

#include "cli/plots/picture.hpp"

namespace cli {

/// The colours of values from `low` to `high`.
struct ColourScale {
  double low, high;
  bool is_one_value() const noexcept { return !(low < high); }
  /// 0 to 1; what lies outside takes the colour of the end.
  double place_of(double value) const;
};

/// All panels, labels and legend, on standard output.
void print_heat_maps(const std::vector<HeatMap>& maps, const ColourScale& scale, const PictureOptions& options,
                     Results& results);

}  // namespace cli
