#pragma once
// Choosing bandwidths by the data: the global minimum of a criterion, found deterministically.

#include <attn/core/leaf_tree.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <cstdint>

namespace ATTN_API attn {

/// The criterion for a bandwidth.
enum class Criterion : std::uint8_t {
  leave_one_out,  ///< mean loss of predicting each sample from the others
  aicc,  ///< log s^2 + (1 + tr S / n) / (1 - (tr S + 2) / n), s^2 the mean squared residual of the fit, n the samples
         ///< of a weight above 0
  gcv    ///< s^2 / (1 - tr S / n)^2, infinite without a residual degree of freedom; summed over outputs as cv
};

/// The loss of a prediction. `log` and `brier` are for classes, whose values are one-hot.
enum class Loss : std::uint8_t {
  squared,  ///< (y - fit)^2; with several outputs the sum of each divided by its variance
  log,      ///< -log of the probability of the true class
  brier     ///< sum over the classes of (probability - one-hot)^2
};

/// The criterion of one smoother. A sample with no other in reach is predicted by the mean of all others, the limit of
/// large bandwidths. Samples whose y is NaN are omitted; the mean is weighted by the sample weights. Sources: Stone
/// 1974 (leave one out); Hurvich, Simonoff and Tsai 1998 (AICc);
/// Craven and Wahba 1979 (generalised cross-validation).
double bandwidth_criterion(const KernelRegression& regression, const Smoother& smoother, Criterion criterion, Loss loss,
                           const Execution& execution = {});

/// Sums over the samples of each leaf, of one output.
struct LeafSums {
  std::vector<double> loss;    ///< sum_i w_i loss_i; of several outputs divided by its unit
  std::vector<double> weight;  ///< sum_i w_i
};

/// The parts of the leave-one-out criterion, for many machines: the sums of some leaves for each output. Leaves are of
/// 4096 samples in ascending order (one column of x) or in the order of a tree of all samples. The criterion is
/// sum_c tree_sum(loss) / tree_sum(weight) over all leaves, to the bit.
std::vector<LeafSums> leave_one_out_loss(const KernelRegression& regression, const Smoother& smoother, Loss loss,
                                         const LeafRange& leaves, const Execution& execution = {});

/// `count` widths from low to high, each by the same factor wider than the one before.
std::vector<double> width_grid(double low, double high, std::size_t count);

/// The first row of the least criterion of a curve of one width; none if no criterion is finite.
std::optional<std::size_t> least_of_curve(const TensorView& curve);

/// Divisor of y in the criterion: 1, or a power of two if squared errors of one output could leave the range of
/// doubles.
double unit_of_criterion(const KernelRegression& regression, Criterion criterion, Loss loss);

struct SelectionParameters {
  Criterion criterion = Criterion::leave_one_out;
  Loss loss = Loss::squared;
  bool isotropic = false;         ///< one width for all coordinates
  bool curve = true;              ///< return the curve of all trials
  std::vector<double> grid = {};  ///< widths for all coordinates, of which the best is taken; none: a search
  /// For a search by leave_one_out: samples left out around each, itself included, for errors that correlate with those
  /// of neighbours; one column of x. Source: Chu and Marron 1991, "Comparison of two bandwidth selectors".
  std::size_t block = 1;
};

struct Selection {
  Bandwidth bandwidth;
  double criterion = 0;  ///< for y / unit_of_criterion()
  std::size_t evaluations = 0;
  std::optional<TensorView>
      curve;  ///< (evaluations, d + 2), or (evaluations, 3) for one width: widths, criterion, and 1 where that
              ///< is exact, 0 where it is an estimate of the scan of many samples; as searched
  bool at_border = false;                  ///< no width is better than one at an end of the range
  bool is_widest = false;                  ///< that end is infinity: the fit is a polynomial of the smoother's degree
  bool is_constant = false;                ///< y is constant: every width predicts it
  bool is_polynomial = false;              ///< y is a polynomial of the smoother's degree, to rounding
  std::vector<std::size_t> smoothed_away;  ///< columns of x with, beside others, an infinite width: in these the fit
                                           ///< is a polynomial of the smoother's degree (0: they tell nothing)
};

/// Scans a logarithmic range of widths, from below the spacing of most samples to infinity, and lambdas from 0 to the
/// widest, and refines the local minima: up to 24 of one width by Brent's method; of one for each coordinate up to 16
/// of a grid, by the simplex of Nelder and Mead in log h and the fourth root of lambda, where the grid has one place an
/// octave or more within a fifth of a second, otherwise 6, by scans along coordinates in turn before. Ends of the range
/// are taken where nothing is better. Widths stay positive by construction. One width is scanned
/// at 4 to 64 places an octave, as many as take a fifth of a second; with a kernel that ends, also where windows of
/// up to 64 samples get another one, and where cv leaps because those of more get their first.
///
/// From 8192 samples in one dimension on, the scan takes estimates (RoughCriterion): what it finds least is
/// evaluated in full, as are four widths around it and the minimum of the quartic through those five. The width is that
/// of a minimum of the criterion itself to 0.2 %, or to where kernels with edges leave it ragged.
///
/// Of the boxcar kernel, whose criterion is a staircase with a step for each pair of samples, one width (degree 0): the
/// least of all steps in the range, up to 2896 samples; of the 4 million around the best width of the scan up to 20000;
/// steps narrower than 1e-9 of the width are passed over. The width is the middle of the step.
///
/// With a grid, its widths are evaluated instead, and the first of the best is taken.
///
/// smoother.bandwidth is ignored. Throws Error(data) when a coordinate is constant or there are fewer than 3 samples
/// that count.
Selection select_bandwidth(const KernelRegression& regression, const Smoother& smoother,
                           const SelectionParameters& parameters, const Execution& execution = {});

/// How far the errors of neighbours in x correlate: r of errors that follow each other as r^k at k samples apart. From
/// the mean squares Q(k) of y_i less the line through y_(i-k) and y_(i+k), which are s^2 (3 - 4 r^k + r^2k) / 2
/// whatever the curve, but for its bend, a share of Q(4) that Q(8) tells:
///
///     Q(1) / (Q(4) - (Q(8) - Q(4)) / 15) = (3 - 4 r + r^2) / 3
///
/// None unless the quotient is below 3/4 and less than independent normal errors give in one of 200 tables, from 50
/// samples of one column of x and one of y on. Source: Hall and Van Keilegom 2003 (differences).
std::optional<double> correlation_of_neighbours(const KernelRegression& regression);

/// The number of nearest samples with the least leave-one-out loss, the first of equals: among all of up to 257
/// samples; of more, among eight an octave, as many where the curve may be lower, and all beside the least.
Selection select_neighbours(const KernelRegression& regression, const Smoother& smoother, Loss loss = Loss::squared,
                            const Execution& execution = {});

}  // namespace attn
