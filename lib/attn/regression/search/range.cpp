#include <attn/core/error.hpp>
#include <attn/regression/search/criterion.hpp>
#include <attn/regression/search/range.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

using Prepared = KernelRegression::Prepared;

struct Weighted {
  double value, weight;
};

// The least value that `share` of the weight does not exceed.
double quantile(std::vector<Weighted>& sample, double share) {
  std::sort(sample.begin(), sample.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  double total = 0, passed = 0;
  for (const Weighted& one : sample) total += one.weight;
  for (const Weighted& one : sample)
    if ((passed += one.weight) >= share * total) return one.value;
  return sample.back().value;
}

// A part of many samples is enough for quantiles.
std::size_t stride_of(std::size_t n) { return std::max<std::size_t>(1, n / 32768); }

// For sorted samples: the first quartile of the spacing of distinct neighbours.
double spacing(const Prepared& p) {
  const double* x = p.x.column(0);
  std::vector<Weighted> gaps;
  const auto look = [&](std::size_t stride) {
    std::size_t before = p.n;
    for (std::size_t i = 0; i < p.n; ++i) {
      if (weight_of(p, i) == 0) continue;
      if (before < p.n && x[i] > x[before] && i % stride == 1 % stride)
        gaps.push_back({x[i] - x[before], std::min(weight_of(p, i), weight_of(p, before))});
      before = i;
    }
  };
  look(stride_of(p.n));
  // Where most samples are in one place, those looked at may all be.
  if (gaps.empty()) look(1);
  return quantile(gaps, 0.25);
}

// The extent of a coordinate over all samples that count; 0 without any.
double extent_of(const Prepared& p, std::size_t j) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < p.n; ++i) {
    if (weight_of(p, i) == 0) continue;
    low = std::min(low, p.x.column(j)[i]);
    high = std::max(high, p.x.column(j)[i]);
  }
  return high > low ? high - low : 0;
}

// The extent of the middle half of a coordinate; of more than that where half the samples are in one place.
double middle_extent(const Prepared& p, std::size_t j) {
  std::vector<Weighted> places;
  for (std::size_t i = 0; i < p.n; i += stride_of(p.n)) places.push_back({p.x.column(j)[i], weight_of(p, i)});
  for (const double outside : {0.25, 0.05, 0.005, 0.0}) {
    const double extent = quantile(places, 1 - outside) - quantile(places, outside);
    if (extent > 0) return extent;
  }
  return extent_of(p, j);
}

}  // namespace

SearchRange search_range(const Prepared& p, const Smoother& smoother, bool isotropic) {
  const std::size_t count = p.counted();
  if (count < 3)
    throw Error(ErrorKind::data, "x",
                "has " + std::to_string(count) + (count == 1 ? " row" : " rows") +
                    (count < p.n ? " with a weight above 0" : "") + ", too few to choose a bandwidth",
                "give the bandwidth");
  SearchRange range;
  if (!p.has_numbers()) return range;
  double widest = 0;  // extents in units
  for (std::size_t j = 0; j < p.d; ++j) {
    const double extent = extent_of(p, j);
    if (!(extent > 0) || !std::isfinite(extent))
      throw Error(ErrorKind::data, "x",
                  "column " + std::to_string(p.column(j)) + " is constant, so no bandwidth can be chosen for it",
                  "drop the column or give the bandwidth");
    range.unit.push_back(p.d == 1 ? spacing(p) : middle_extent(p, j));
    widest = std::max(widest, extent / range.unit.back());
  }
  if (isotropic) range.unit.assign(p.d, *std::max_element(range.unit.begin(), range.unit.end()));
  // Compact kernels need more than the Gaussian's standard deviation to reach as far.
  const double reach = (is_compact(smoother.kernel) ? 2 : 1) / kernel_scale(smoother.kernel, smoother.scale_convention);
  const auto n = static_cast<double>(count), d = static_cast<double>(p.d);
  range.lowest = std::log2((p.d == 1 ? 0.25 : 1.0 / 64 / std::max(2.0, std::pow(n, 1 / d))) * reach);
  // Laplace weights of neighbours fade as slowly as the width does.
  if (smoother.kernel == Kernel::laplace) range.lowest -= 2;
  range.highest = std::log2(4 * widest * reach) + 1;
  return range;
}

}  // namespace attn
