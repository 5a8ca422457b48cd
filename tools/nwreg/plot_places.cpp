#include "nwreg/plot_places.hpp"

#include "cli/plots/picture.hpp"

#include <algorithm>
#include <cmath>

namespace nwreg {

std::vector<double> column_of(const std::vector<double>& table, std::size_t columns, std::size_t j) {
  std::vector<double> column;
  for (std::size_t at = j; at < table.size(); at += columns) column.push_back(table[at]);
  return column;
}

std::vector<double> range_over(const std::vector<double>& samples, const std::optional<attn::TensorView>& queries,
                               std::size_t columns, std::size_t j, std::size_t points) {
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  double first = *low, last = *high;
  if (queries)
    for (const double q : column_of(cli::numbers_of(*queries), columns, j))
      if (std::isfinite(q)) first = std::min(first, q), last = std::max(last, q);
  std::vector<double> range;
  for (std::size_t i = 0; i < points; ++i)
    range.push_back(first + (last - first) * static_cast<double>(i) / static_cast<double>(points - 1));
  return range;
}

}  // namespace nwreg
