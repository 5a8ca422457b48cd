#pragma once
// A cheap estimate of a criterion for many samples in one dimension, which shows a search where to look closely.

#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/selection/criterion.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <memory>
#include <vector>

namespace attn {

/// Groups of neighbouring samples with the moments that sums of squares need: the mean of each output, and sums of
/// squares and products about the means of x and y.
struct SampleGroups {
  double extent = 0;                ///< largest extent of a group
  std::vector<double> first, last;  ///< samples of each group
  std::vector<double> x, weight, squared_weight, xx;
  std::vector<double> y, yy, xy;        ///< (groups, C)
  std::shared_ptr<const void> counted;  ///< entry in memory_account()

  std::size_t count() const noexcept { return x.size(); }
  /// Reserves counted memory. Throws Error(memory).
  void reserve(std::size_t groups, std::size_t outputs);
};

/// Leave-one-out squared loss or AICc at any width.
///
/// Wide: samples are replaced by groups that are narrow compared with the width. A group has its weight at its mean,
/// and its samples are compared with the fit there and its slope:
///
///     sum_i w_i (y_i - m(x_i))^2 = yy - 2 m' xy + m'^2 xx + W (y - m)^2
///
/// each times (D / (D - w))^2 for leave-one-out, where D is the sum of weights at the group. The error is of fourth
/// order in extent / width. Narrow: runs of neighbouring samples, a sixteenth of all or 4096, stand for all.
class RoughCriterion {
 public:
  static bool serves(const KernelRegression::Prepared& samples, const Smoother& smoother, Loss loss);
  RoughCriterion(const KernelRegression::Prepared& samples, const Smoother& smoother, Criterion criterion,
                 const SearchRange& range, const Execution& execution);

  /// Does at(h) use all samples, as groups?
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
