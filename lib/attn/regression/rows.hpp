#pragma once
// Rows of the weight matrix: which keys take part for one query, and with what weight. Everything that is not a sum
// over keys alone (local polynomials, the weights themselves, adaptive bandwidths) is computed from rows. Internal to
// lib/attn/regression.

#include <attn/regression/prepared.hpp>

#include <limits>
#include <vector>

namespace attn {

/// The keys with a weight above zero.
struct WeightRow {
  std::vector<std::uint32_t> key;  ///< prepared rows, ascending
  std::vector<double> weight;      ///< weights_i K(u); of kernels that are never zero, relative to the largest K
  std::vector<double> scale;       ///< (d): u = |scale (q - x)|
  std::vector<double>
      slope;  ///< weight kernel_falloff(u): the derivative of the weight by q_j is slope scale_j^2 (x_j - q_j)
  std::size_t count() const noexcept { return key.size(); }
};

/// Finds rows. One object serves all threads; each thread brings its own Scratch.
class WeightRows {
 public:
  static constexpr std::size_t no_self = KdTree::no_self;

  struct Scratch {
    std::vector<KeyRun> runs;
    std::vector<double> squared, distances, point;
  };

  /// `restricted`: look only at the keys within reach (cells, tree, sorted keys); otherwise at all.
  WeightRows(const KernelRegression::Prepared& samples, const Smoother& smoother, bool restricted);

  /// The row of the query q (d numbers), without the prepared row `self`. Empty when no key is in reach; `slopes` fills
  /// row.slope.
  void find(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const;

  /// The nearest keys, all of the same smallest distance, with their observation weights: what an empty window yields
  /// under EmptyWindow::nearest.
  void find_nearest(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const;

 private:
  bool adapt(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const;
  void candidates(const double* q, std::size_t self, bool restricted, const WeightRow& row, Scratch& scratch) const;
  void forget(double now, bool slopes, WeightRow& row) const;
  void measure(const double* q, const WeightRow& row, KeyRun run, double* squared) const;
  void weigh_compact(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const;
  void weigh_exponential(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const;

  const KernelRegression::Prepared& samples_;
  const Smoother& smoother_;
  Metric metric_;
  std::vector<const double*> x_;
  bool restricted_;
};

}  // namespace attn
