#pragma once
// The widths that a search has tried.

#include <attn/regression/search/criterion.hpp>
#include <attn/regression/search/range.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace attn {

/// Evaluates the criterion at places, log2 of widths in the units of the range, one for each free coordinate; keeps the
/// best of them and the curve of all.
class BandwidthTrials {
 public:
  using Place = std::vector<double>;

  BandwidthTrials(const KernelRegression& regression, const Smoother& smoother, const SelectionParameters& parameters,
                  const Execution& execution);

  const KernelRegression& regression() const noexcept { return regression_; }
  const KernelRegression::Prepared& samples() const noexcept { return regression_.prepared(); }
  const Smoother& smoother() const noexcept { return smoother_; }
  const SelectionParameters& parameters() const noexcept { return parameters_; }
  const Execution& execution() const noexcept { return execution_; }
  std::size_t free() const noexcept { return free_; }
  const SearchRange& range() const noexcept { return range_; }

  /// What an evaluation takes about, and what scans may take: ns on one core, by size alone.
  double cost() const;
  static constexpr double budget = 2e8;
  bool is_large() const noexcept { return regression_.size() > 20000; }
  /// Near its minimum the criterion is a parabola: half its digits are all that its place can have. With many samples
  /// the criterion's own uncertainty is far above that.
  double tolerance() const noexcept { return is_large() ? 2e-3 : 1e-8; }

  /// Evenly spaced from one end of the range to the other.
  std::vector<double> steps(double per_octave) const;
  std::vector<double> widths(const Place& at) const;

  /// The criterion, infinite beyond the range. The best so far is kept.
  double evaluate(const Place& at);
  /// Without keeping anything.
  double criterion_at(const std::vector<double>& widths) const;
  /// Adds to the curve what was found by other means.
  void record(const std::vector<double>& widths, double value, bool is_exact);
  /// How many evaluations are to come, for those who wait.
  void plan(std::size_t evaluations) noexcept { planned_ = evaluations; }

  bool has_best() const noexcept { return !best_.empty(); }
  const Place& best() const noexcept { return best_; }
  double best_value() const noexcept { return best_value_; }
  void prefer(const Place& at) { best_ = at; }

  std::size_t evaluations() const noexcept { return evaluations_; }

  Bandwidth bandwidth_of(const std::vector<double>& widths) const;
  TensorView curve() const;

 private:
  const KernelRegression& regression_;
  const Smoother& smoother_;
  const SelectionParameters& parameters_;
  const Execution& execution_;
  std::size_t free_, evaluations_ = 0, planned_ = 0;
  const SearchRange range_;
  Place best_;
  double best_value_ = std::numeric_limits<double>::infinity();
  std::vector<double> curve_;
};

/// What a search ends with: widths, rounded to the digits that they can have, and whether the data prefer an end of the
/// range, or nothing to it.
struct FoundWidths {
  std::vector<double> widths = {};              ///< none where no criterion was finite
  std::optional<double> criterion = {};         ///< there, where it was looked at
  bool at_border = false, is_widest = false;    ///< at an end of the range; at the wide one
  std::vector<std::size_t> smoothed_away = {};  ///< coordinates whose width is beyond the range, while others are not
};

/// What is taken of widths that are all as good: which of them rounding prefers means nothing.
FoundWidths widest(const BandwidthTrials& trials);

/// One width: a scan of the range, by estimates where there are many samples, and its local minima refined.
FoundWidths search_on_line(BandwidthTrials& trials);

/// One width for each coordinate: a grid where that is affordable, otherwise scans along coordinates in turn; then a
/// simplex.
FoundWidths search_in_space(BandwidthTrials& trials);

/// The places of local minima, the least first.
std::vector<std::size_t> minima_of(const std::vector<double>& values);

/// x with so many digits.
double rounded(double x, int digits);

/// The best widths with few digits, more where fewer fall off the edge of a leap: still more would depend on how the
/// machine rounds.
FoundWidths rounded_best(const BandwidthTrials& trials, int digits);

/// Whether `best` is below `end`, the criterion at an end of the range, by no more than roundings.
bool is_no_better(double best, double end);

}  // namespace attn
