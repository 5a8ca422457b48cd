// Compact kernels in one dimension: a window slides over the sorted keys.
//
// The weights of a window are K(s - t) with t = scale (x - anchor) and s = scale (q - anchor), and K is a polynomial
// (or a cosine), so that
//
//     sum_i K(s - t_i) v_i = sum_j e_j(s) M_j,     M_j = sum_i f_j(t_i) v_i
//
// with few features f_j of the keys alone. The moments M_j of a window are kept as two stacks (a queue that can be
// summed): suffix sums of the keys up to a border, a running sum of the keys after it. Keys leave by taking the next
// suffix sum, never by subtraction, which would lose all digits below a large value that has left. When the first stack
// is used up, the border and the anchor move to the window's end and the suffix sums are made anew.
//
// A kernel that is odd about u = 0 (triangular, tricube) and leaving one out need the keys on the left and on the right
// as windows of their own.
#include <attn/regression/moving_moments.hpp>
#include <attn/regression/sums.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

/// A kernel on one or on both sides of the query.
template <class Basis, std::size_t Fixed>
class SlidingWindows {
 public:
  /// smallest: the share of sum w below which the sum of weights has lost too many digits (see window_sums); sizes:
  /// how many of the last columns are sizes |v| of others, which lose theirs likewise.
  SlidingWindows(const SumsProblem& problem, std::size_t sizes, Basis basis, bool is_even, double smallest)
      : problem_(problem),
        sizes_(sizes),
        basis_(basis),
        one_window_(is_even && !problem.leave_one_out),
        smallest_(smallest),
        x_(problem.samples.x.column(0)),
        n_(problem.samples.n) {}

  void run(const Execution& execution, double* sums) const {
    const double* q = problem_.points.x().column(0);
    const std::size_t m = problem_.points.count(), columns = problem_.columns();
    std::size_t first = 0, last = m;
    while (first < last && !std::isfinite(q[first])) ++first;
    while (first < last && !std::isfinite(q[last - 1])) --last;
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    std::fill(sums, sums + first * columns, nan);
    std::fill(sums + last * columns, sums + m * columns, nan);
    const std::size_t pieces = piece_count(q, first, last);
    execution.parallel(pieces, [&](std::size_t piece, std::size_t) {
      const std::size_t begin = first + (last - first) * piece / pieces;
      slide(q, begin, first + (last - first) * (piece + 1) / pieces, sums);
    });
  }

 private:
  // Keys within reach of q begin and end here: |(x - q) scale| <= 1, as every engine rounds it.
  std::size_t lower(double q) const {
    return static_cast<std::size_t>(
        std::partition_point(x_, x_ + n_, [&](double x) { return (x - q) * problem_.scale[0] < -1; }) - x_);
  }
  std::size_t upper(double q) const {
    return static_cast<std::size_t>(
        std::partition_point(x_, x_ + n_, [&](double x) { return (x - q) * problem_.scale[0] <= 1; }) - x_);
  }

  // A piece begins by summing a whole window, so there are as many as keep that below a quarter of the work.
  std::size_t piece_count(const double* q, std::size_t first, std::size_t last) const {
    if (last - first < 8192) return 1;
    constexpr std::size_t probes = 64;
    std::size_t window = 0;
    for (std::size_t probe = 0; probe < probes; ++probe) {
      const double at = q[first + (last - first) * probe / probes];
      window += upper(at) - lower(at);
    }
    const std::size_t by_window = (n_ + last - first) / 4 / (window / probes + 1);
    return std::clamp<std::size_t>(std::min(by_window, (last - first) / 4096), 1, 64);
  }

  void slide(const double* q, std::size_t begin, std::size_t end, double* sums) const {
    if (begin == end) return;
    const std::size_t columns = problem_.columns();
    std::size_t low = lower(q[begin]), high = low, middle = low;
    MovingMoments<Basis, Fixed> left(problem_, low), right(problem_, low);
    ExactSums exact(problem_);
    std::vector<double> mass(1 + sizes_);
    for (std::size_t point = begin; point < end; ++point) {
      const double at = q[point], scale = problem_.scale[0];
      while (low < n_ && (x_[low] - at) * scale < -1) ++low;
      while (high < n_ && (x_[high] - at) * scale <= 1) ++high;
      double* row = sums + point * columns;
      std::fill_n(row, columns, 0.0);
      if (low >= high) continue;
      // Sums of what is weighted: of the observation weights, and of the sizes.
      std::fill(mass.begin(), mass.end(), 0.0);
      if (one_window_) {
        evaluate(left, low, high, at, 1, row, mass.data());
      } else {
        std::size_t from = 0;
        if (problem_.leave_one_out) {
          middle = point;
          from = point + 1;
        } else {
          while (middle < high && x_[middle] <= at) ++middle;
          from = middle = std::max(middle, low);
        }
        if (low < middle) evaluate(left, low, middle, at, 1, row, mass.data());
        if (from < high) evaluate(right, from, high, at, -1, row, mass.data());
      }
      bool holds = row[0] > smallest_ * mass[0];
      for (std::size_t c = 1; c <= sizes_; ++c) holds = holds && row[columns - c] >= smallest_ * mass[c];
      if (!holds) exact.find(&at, problem_.self(point), row);
    }
  }

  // Adds the sums over [begin, end) to row, and those of what is weighted there to mass.
  void evaluate(MovingMoments<Basis, Fixed>& moments, std::size_t begin, std::size_t end, double q, double sign,
                double* row, double* mass) const {
    const double* sums = moments.move(begin, end);
    double e[Basis::features];
    basis_.at_query((q - moments.anchor()) * problem_.scale[0], sign, e);
    for (std::size_t c = 0; c < (Fixed != 0 ? Fixed : problem_.columns()); ++c) {
      double total = 0;
      for (int j = 0; j < Basis::features; ++j) total += e[j] * sums[c * Basis::features + static_cast<std::size_t>(j)];
      row[c] += total;
    }
    mass[0] += problem_.weight == nullptr ? static_cast<double>(end - begin) : sums[0];
    for (std::size_t c = 1; c <= sizes_; ++c) mass[c] += sums[(problem_.columns() - c) * Basis::features];
  }

  const SumsProblem& problem_;
  std::size_t sizes_;
  Basis basis_;
  bool one_window_;
  double smallest_;
  const double* x_;
  std::size_t n_;
};

// Columns in which values could be lost next to larger ones carry their sizes too.
template <class Basis>
void slide_with_sizes(const SumsProblem& problem, const std::vector<std::size_t>& wide, Basis basis, bool is_even,
                      double smallest, const Execution& execution, SumsOutput out) {
  const std::size_t n = problem.samples.n, m = problem.points.count(), columns = problem.columns();
  SumsProblem more = problem;
  Columns sizes(wide.size(), n);
  for (std::size_t c = 0; c < wide.size(); ++c) {
    for (std::size_t i = 0; i < n; ++i) sizes.column(c)[i] = std::abs(problem.values[wide[c]][i]);
    more.values.push_back(sizes.column(c));
  }
  Columns rows(1, m * more.columns());
  SlidingWindows<Basis, 0>(more, wide.size(), basis, is_even, smallest).run(execution, rows.column(0));
  for (std::size_t point = 0; point < m; ++point)
    std::copy_n(rows.column(0) + point * more.columns(), columns, out.totals + point * columns);
}

template <class Basis>
void slide(const SumsProblem& problem, Basis basis, bool is_even, double smallest, const Execution& execution,
           SumsOutput out) {
  std::vector<std::size_t> wide;
  for (std::size_t c = 0; smallest > 0 && c < problem.values.size(); ++c)
    if (spread_of(problem, c + 1) > harmless_spread) wide.push_back(c);
  if (!wide.empty())
    slide_with_sizes(problem, wide, basis, is_even, smallest, execution, out);
  else if (problem.columns() == 2)
    SlidingWindows<Basis, 2>(problem, 0, basis, is_even, smallest).run(execution, out.totals);
  else
    SlidingWindows<Basis, 0>(problem, 0, basis, is_even, smallest).run(execution, out.totals);
}

}  // namespace

// The share of a window's mass that its weights must reach. Expanding a kernel of degree g about an anchor up to 2
// half- widths away multiplies rounding errors by up to (1 + 3)^g in theory, by 2^g in the windows measured; below the
// share, that could pass 1e-12 of the result, and the query is summed directly. Sums of |w v| are held to the same.
void window_sums(const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  switch (problem.kernel) {
    case Kernel::boxcar: return slide(problem, Polynomial<0>{{1}}, true, 0, execution, out);
    case Kernel::triangular:
    case Kernel::epanechnikov: return slide(problem, Polynomial<1>{{1, -1}}, false, 1e-3, execution, out);
    case Kernel::parabolic: return slide(problem, Polynomial<2>{{1, 0, -1}}, true, 4e-3, execution, out);
    case Kernel::biweight: return slide(problem, Polynomial<4>{{1, 0, -2, 0, 1}}, true, 1e-2, execution, out);
    case Kernel::triweight: return slide(problem, Polynomial<6>{{1, 0, -3, 0, 3, 0, -1}}, true, 4e-2, execution, out);
    case Kernel::tricube:
      return slide(problem, Polynomial<9>{{1, 0, 0, -3, 0, 0, 3, 0, 0, -1}}, false, 4e-2, execution, out);
    case Kernel::cosine: return slide(problem, Cosine{}, true, 4e-3, execution, out);
    default: break;
  }
  // The constant kernel is a boxcar that reaches everything.
  SumsProblem everywhere = problem;
  everywhere.scale.assign(1, 0.0);
  return slide(everywhere, Polynomial<0>{{1}}, true, 0, execution, out);
}

}  // namespace attn
