#pragma once
// What a criterion is worth about, of many samples on a line, at a small part of its cost: where a search for a
// bandwidth has to look closely.

#include <attn/regression/search/range.hpp>
#include <attn/regression/selection.hpp>
#include <attn/regression/windows/result.hpp>

#include <memory>
#include <vector>

namespace attn {

/// Neighbouring samples with what their sums of squares need: of each output the mean, and about the means of x and y
/// the sums of squares and products.
struct SampleGroups {
  double extent = 0;                ///< that no group exceeds
  std::vector<double> first, last;  ///< samples of each
  std::vector<double> x, weight, squared_weight, xx;
  std::vector<double> y, yy, xy;        ///< (groups, C)
  std::shared_ptr<const void> counted;  ///< in memory_account(), as long as it lives

  std::size_t count() const noexcept { return x.size(); }
  /// Room for so many, which is counted. Throws Error(memory).
  void reserve(std::size_t groups, std::size_t outputs);
};

/// Leave-one-out squared loss or AICc of degree 0 at any width.
///
/// Wide: groups of samples that are narrow beside the width stand for them. A group weighs at its mean, and its samples
/// are held against the fit there and its slope:
///
///     sum_i w_i (y_i - m(x_i))^2 = yy - 2 m' xy + m'^2 xx + W (y - m)^2
///
/// each times (D / (D - w))^2 where one is left out, D the sum of weights at the group. The error is of the fourth
/// order in extent over width. Narrow: runs of neighbouring samples, a sixteenth of all, stand for all.
class RoughCriterion {
 public:
  static bool serves(const KernelRegression::Prepared& samples, const Smoother& smoother, Loss loss);
  RoughCriterion(const KernelRegression::Prepared& samples, const Smoother& smoother, Criterion criterion,
                 const SearchRange& range, const Execution& execution);

  /// Whether all samples take part in at(h), as groups.
  bool is_wide(double h) const noexcept;
  /// In the units of samples.y.
  double at(double h);

 private:
  struct Level {
    SampleGroups groups;
    KernelRegression regression;
  };
  void add_level(SampleGroups groups);
  const Level& level_for(double h);
  double at_level(const Level& level, double h) const;

  const KernelRegression::Prepared& samples_;
  Smoother smoother_;
  Criterion criterion_;
  const Execution& execution_;
  double unit_, width_scale_;
  std::vector<double> mean_, variance_;
  std::vector<Level> levels_;
  KernelRegression runs_;
};

}  // namespace attn
