#pragma once
// Rows of the weight matrix: the keys in reach of one query, with their weights. Everything beyond sums over keys
// (local polynomials, the weights themselves, adaptive bandwidths) is computed from rows.

#include <attn/regression/samples/categories.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace attn {

/// The keys with a weight above zero.
struct WeightRow {
  std::vector<std::uint32_t> key;  ///< prepared rows, ascending
  std::vector<double> weight;      ///< weights_i K(u); for kernels that are never zero, relative to the largest K
  double log_factor = 0;           ///< log K of the largest, which was factored out; 0 for compact kernels
  std::vector<double> scale;       ///< (d): u = |scale (q - x)|
  double falloff = 0;              ///< kernel_falloff(u) if equal for all keys, as with the Gaussian; else 0
  std::vector<double> slope;       ///< weight (kernel_falloff(u) - falloff): the derivative of the weight by q_j is
                                   ///< (slope + falloff weight) scale_j^2 (x_j - q_j)
  /// (count, d), if columns come round: the coordinates of each key in the round that is nearest to the query. A key
  /// that is exactly opposite is there twice then, with half its weight on each side, if sides matter.
  std::vector<double> place;
  std::size_t count() const noexcept { return key.size(); }
};

/// A coordinate of the keys of a row.
class RowCoordinate {
 public:
  RowCoordinate(const KernelRegression::Prepared& samples, const WeightRow& row, std::size_t j)
      : row_(row),
        column_(samples.x.column(j)),
        place_(row.place.empty() ? nullptr : row.place.data() + j),
        stride_(samples.d) {}
  double operator[](std::size_t r) const noexcept {
    return place_ == nullptr ? column_[row_.key[r]] : place_[r * stride_];
  }

 private:
  const WeightRow& row_;
  const double *column_, *place_;
  std::size_t stride_;
};

/// Finds rows. One object serves all threads; each thread brings its own Scratch.
class WeightRows {
 public:
  static constexpr std::size_t no_self = KdTree::no_self;

  struct Scratch {
    std::vector<KeyRun> runs;
    std::vector<double> squared, distances;
    double nearest = 0;  ///< squared scaled distance of the nearest key, if the reach starts there
  };

  struct Parameters {
    Kernel kernel = Kernel::gaussian;
    Metric metric;
    const double* weight = nullptr;  ///< weights of the samples, (n) or null
    bool causal = false;
    double decay = 0;
    double tolerance = 0;
    double rounding = 0x1p-54;  ///< share of the largest weight below which weights are always dropped
    bool restricted = true;     ///< search only the keys in reach; otherwise all
    CategoryWeights categories = {};
    const double* neighbours = nullptr;  ///< (n): those above 0 are neighbours of a query; null: all
    bool has_sides = false;              ///< polynomials tell the sides of a query apart
    std::size_t before = 0, after = 0;   ///< keys left out along with `self`, so many before and after it
  };
  WeightRows(const KernelRegression::Prepared& samples, Parameters parameters);

  /// The row of the query q (query_length() numbers), without the prepared row `self`. Empty if no key is in reach;
  /// `slopes` fills row.slope.
  void find(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const;

  /// The distance from q to its k-th nearest key, or the farthest where there are fewer; infinite without any. For
  /// adaptive bandwidths.
  double neighbour_distance(const double* q, std::size_t self, Scratch& scratch) const;

  /// Writes runs that contain every key in reach of q to scratch.runs; not for adaptive bandwidths.
  void find_reach(const double* q, std::size_t self, Scratch& scratch) const;
  /// The same for every bandwidth, whose factors at q go to `scale` (d). log_share: of candidates(). False without
  /// keys.
  bool find_reach(const double* q, std::size_t self, double log_share, std::vector<double>& scale,
                  Scratch& scratch) const;

  /// The factor of K for a key: of its own weight and its categories.
  double factor(const double* q, std::uint32_t key) const noexcept {
    double factor = parameters_.weight != nullptr ? parameters_.weight[key] : 1.0;
    for (std::size_t f = 0, j = samples_.d; f < parameters_.categories.count(); ++f, ++j)
      factor *= parameters_.categories.at(f, q[j], x_[j][key]);
    return factor;
  }
  /// The factors of the keys of a run, factors[key].
  void find_factors(const double* q, KeyRun run, double* factors) const noexcept;
  bool has_factors() const noexcept { return parameters_.weight != nullptr || parameters_.categories.count() > 0; }

  /// The nearest keys, all at the same smallest distance, with their sample weights, for EmptyWindow::nearest.
  void find_nearest(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const;

 private:
  /// The keys that a row is found without.
  struct LeftOut {
    std::size_t first, count;
    bool has(std::size_t key) const noexcept { return key - first < count; }
  };
  LeftOut left_out(std::size_t self) const noexcept {
    if (self == no_self) return {0, 0};
    const std::size_t first = self - std::min(self, parameters_.before);
    return {first, self - first + 1 + parameters_.after};
  }
  bool adapt(const double* q, std::size_t self, std::vector<double>& scale, Scratch& scratch) const;
  std::vector<double> scale_at(const double* q) const;
  void put_round(const double* q, bool splits, WeightRow& row) const;
  void candidates_round(double q, double reach, Scratch& scratch) const;
  void find_nearest_round(const double* q, std::size_t self, WeightRow& row) const;
  void find_nearest_on_line(double q, std::size_t self, WeightRow& row) const;
  void find_nearest_in_space(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const;
  void candidates(const double* q, std::size_t self, double log_share, const std::vector<double>& scale,
                  Scratch& scratch) const;
  void forget(double now, bool slopes, WeightRow& row) const;
  void measure(const double* q, const WeightRow& row, KeyRun run, double* squared) const;
  void weigh_compact(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const;
  void measure_from_nearest(const double* q, WeightRow& row) const;
  double subtract_nearest(const double* q, WeightRow& row) const;
  void weigh_exponential(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const;

  const KernelRegression::Prepared& samples_;
  Parameters parameters_;
  std::vector<const double*> x_;
  std::vector<double> eligible_;  // one dimension, adaptive: the places of neighbours, if not of all keys
};

/// Parameters for a smoother over its samples.
WeightRows::Parameters row_parameters(const KernelRegression::Prepared& samples, const Smoother& smoother,
                                      bool restricted);

}  // namespace attn
