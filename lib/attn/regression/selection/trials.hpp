#pragma once
// The widths that a search has tried, and how it finds the next: minimising functions without derivatives.

#include <attn/regression/samples/categories.hpp>
#include <attn/regression/selection/criterion.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace attn {

/// Evaluates the criterion at points: log2 of the widths in the units of the range, one for each free coordinate, then
/// for each column of categories the fourth root of its lambda as a share of the widest, since lambdas near 0 differ as
/// widths do. Keeps the best point and the curve of all.
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
  /// The free coordinates that are widths; the others are lambdas.
  std::size_t free_widths() const noexcept { return free_ - samples().categories.size(); }
  /// All widths at one step, and all lambdas at one place.
  Place place(double step, double lambda) const;
  const SearchRange& range() const noexcept { return range_; }

  /// Estimated time of an evaluation, and the time allowed for scans: ns on one core, by size alone.
  double cost() const;
  static constexpr double budget = 2e8;
  bool is_large() const noexcept { return regression_.size() > 20000; }
  /// Near its minimum the criterion is a parabola, so the position has at most half its digits. With many samples the
  /// uncertainty of the criterion itself is far larger.
  double tolerance() const noexcept { return is_large() ? 2e-3 : thins() ? 1e-5 : 1e-8; }

  /// Evenly spaced points over the range.
  std::vector<double> steps(double per_octave) const;
  /// Widths, or with categories all numbers of the bandwidth, rounded to so many digits (0: not at all).
  std::vector<double> widths(const Place& at, int digits = 0) const;

  /// Is the loss of some of the samples enough to look around with? Where sums over pairs are needed, cv of hundreds of
  /// samples spread over all shows where its minima are.
  bool thins() const noexcept;
  /// From now on evaluate() takes some of the samples, or all and has no best.
  void use_some() { every_ = thins() ? regression_.size() / enough : 1; }
  void use_all();
  bool is_thinned() const noexcept { return every_ > 1; }

  /// The criterion, infinite outside the range. Keeps the best so far.
  double evaluate(const Place& at);
  /// The same, without keeping anything.
  double criterion_at(const std::vector<double>& widths, std::size_t every = 1) const;
  /// Adds a value that was found in another way to the curve.
  void record(const std::vector<double>& widths, double value, bool is_exact);
  /// Number of evaluations to come, for the progress display.
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
  const Execution execution_;  ///< of a trial: progress_ counts the trials
  const ProgressHook progress_;
  std::size_t free_, evaluations_ = 0, planned_ = 0;
  const SearchRange range_;
  Place best_;
  double best_value_ = std::numeric_limits<double>::infinity();
  static constexpr std::size_t enough = 512;  // samples for an estimate of cv
  std::size_t every_ = 1;
  std::vector<double> curve_;
};

/// The result of a search: widths, rounded to their significant digits, and whether the data prefer an end of the
/// range.
struct FoundWidths {
  std::vector<double> widths = {};              ///< empty if no criterion was finite
  std::optional<double> criterion = {};         ///< at these widths, if evaluated
  bool at_border = false, is_widest = false;    ///< at an end of the range; at the wide end
  std::vector<std::size_t> smoothed_away = {};  ///< coordinates whose width alone is beyond the range
};

/// The choice if all widths are equally good, since rounding alone would decide.
FoundWidths widest(const BandwidthTrials& trials);

/// One width: a scan of the range, by estimates for many samples, then refinement of its local minima.
FoundWidths search_on_line(BandwidthTrials& trials);

/// One width for each coordinate: a grid if that is affordable, otherwise scans along each coordinate in turn; then a
/// simplex.
FoundWidths search_in_space(BandwidthTrials& trials);

/// Indices of local minima, the smallest value first.
std::vector<std::size_t> minima_of(const std::vector<double>& values);

/// x rounded to `digits` significant digits.
double rounded(double x, int digits);

/// The best widths with few digits, or more if fewer would cross a jump of the criterion: still more digits would
/// depend on the rounding of the machine.
FoundWidths rounded_best(const BandwidthTrials& trials, int digits);

/// Is `best` below `end`, the criterion at an end of the range, only by rounding?
bool is_no_better(double best, double end);

// Minimising functions without derivatives.

/// A point in [low, high] with the smallest value among all evaluated points within `tolerance` of it.
/// Source: Brent 1973, chapter 5.
double minimise_on_line(const std::function<double(double)>& f, double low, double high, double tolerance);

/// Moves a simplex from `start`, where f is `value`, with the given sides, until all corners are within `tolerance` of
/// the best. The caller keeps the smallest value of f.
/// Source: Nelder and Mead 1965, with the usual coefficients.
void minimise_by_simplex(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& start,
                         double value, const std::vector<double>& sides, double tolerance);

}  // namespace attn
