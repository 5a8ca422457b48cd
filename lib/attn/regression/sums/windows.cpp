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
//
// The moments sum_i K(s - t_i) t_i^r v_i of a polynomial are sums over features t^r f_j(t) likewise. Powers of t lose
// digits that the sums of degree 0 do not need, so they are kept with more (extended.hpp).
#include <attn/regression/sums/kernel_polynomials.hpp>
#include <attn/regression/sums/moments.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace attn {
namespace {

using std::abs;  // and those of Extended

/// cos(pi (s - t) / 2) = cos(pi s / 2) cos(pi t / 2) + sin(pi s / 2) sin(pi t / 2); the first feature of every basis is
/// 1, so that its moment is the mass of the window.
struct Cosine {
  static constexpr double half_pi = 1.57079632679489661923;
  static constexpr int features = 3;
  static constexpr int step = features;
  static constexpr Extended rounding = 16 * std::numeric_limits<double>::epsilon();
  double angle = half_pi, mean = 0;  // K = mean + (1 - mean) cos(angle u)

  template <class Real>
  void at_key(Real t, Real* f, int count) const {
    f[0] = 1;
    f[1] = std::cos(static_cast<double>(angle * t));
    f[2] = std::sin(static_cast<double>(angle * t));
    for (int j = features; j < count; ++j) f[j] = f[j - features] * t;
  }
  template <class Real>
  void at_query(Real s, double, Real* e) const {
    at_key(s, e, features);
    e[0] = mean;
    e[1] *= 1 - mean;
    e[2] *= 1 - mean;
  }
};

/// Moments of the keys in a range whose ends only move right. Fixed columns (of weights and one of values) stay in
/// registers; 0: as many as the problem has.
template <class Basis, std::size_t Fixed, std::size_t Degree>
class MovingMoments {
 public:
  using Real = std::conditional_t<Degree == 0, double, Extended>;

  MovingMoments(const SumsProblem& problem, Basis basis, std::size_t begin)
      : problem_(problem),
        basis_(basis),
        x_(problem.samples.x.column(0)),
        weight_(problem.weight),
        scale_(problem.scale[0]),
        border_(begin),
        begin_(begin),
        end_(begin) {
    for (auto* sums : {&front_, &back_, &recent_, &total_}) sums->assign(length(), Real{});
  }

  double anchor() const noexcept { return anchor_; }
  /// Where the features of a column begin.
  std::size_t offset(std::size_t c) const noexcept {
    if constexpr (Degree == 0) return c * count_of(0);
    const std::size_t fitted = std::min(c, 1 + problem_.fitted);
    return c == 0 ? 0 : count_of(2 * Degree) + (fitted - 1) * count_of(Degree) + (c - fitted) * count_of(0);
  }

  /// Moments of [begin, end), columns after each other.
  const Real* move(std::size_t begin, std::size_t end) {
    if (begin >= border_) {
      flip(begin, end);
    } else {
      if (begin != begin_) lower_front(begin);
      for (; end_ < end; ++end_) append(end_);
      begin_ = begin;
    }
    for (std::size_t k = 0; k < length(); ++k) total_[k] = front_[k] + (back_[k] + recent_[k]);
    return total_.data();
  }

 private:
  // Suffix sums are kept for every stride-th key only and the ones between are made when their stride is entered:
  // memory stays small beside the keys, and sums of strides round less than one long chain.
  static constexpr std::size_t stride = 32;

  std::size_t columns() const noexcept { return Fixed != 0 ? Fixed : problem_.columns(); }
  std::size_t length() const noexcept { return offset(columns()); }
  // Features of a column with moments up to an order.
  static constexpr std::size_t count_of(std::size_t order) { return Basis::features + order * Basis::step; }

  void add(std::size_t i, Real* sums) const {
    constexpr std::size_t most = count_of(2 * Degree);
    Real f[most];
    basis_.at_key((static_cast<Real>(x_[i]) - anchor_) * scale_, f, most);
    const double w = weight_ != nullptr ? weight_[i] : 1.0;
    for (std::size_t j = 0; j < most; ++j) sums[j] += w * f[j];
    for (std::size_t c = 1; c < columns(); ++c) {
      const Real v = static_cast<Real>(w) * problem_.values[c - 1][i];
      Real* at = sums + offset(c);
      const std::size_t count = Degree == 0 || c > problem_.fitted ? count_of(0) : count_of(Degree);
      for (std::size_t j = 0; j < count; ++j) at[j] += v * f[j];
    }
  }

  void append(std::size_t i) {
    add(i, recent_.data());
    if (++recent_count_ < stride) return;
    for (std::size_t k = 0; k < length(); ++k) back_[k] += recent_[k];
    std::fill(recent_.begin(), recent_.end(), Real{});
    recent_count_ = 0;
  }

  // The front's sums become those of [begin, border).
  void lower_front(std::size_t begin) {
    const std::size_t at = (border_ - begin - 1) / stride;  // strides are counted back from the border
    if (at != stride_) fill_stride(at);
    std::copy_n(fine_.data() + (border_ - begin - 1 - at * stride) * length(), length(), front_.data());
  }

  void fill_stride(std::size_t at) {
    stride_ = at;
    const std::size_t last = border_ - at * stride, first = last > lowest_ + stride ? last - stride : lowest_;
    std::fill(total_.begin(), total_.end(), Real{});
    fine_.resize(stride * length());
    for (std::size_t i = last; i-- > first;) {
      add(i, total_.data());
      Real* fine = fine_.data() + (last - 1 - i) * length();
      for (std::size_t k = 0; k < length(); ++k) fine[k] = coarse_[at * length() + k] + total_[k];
    }
  }

  void flip(std::size_t begin, std::size_t end) {
    border_ = end_ = end;
    begin_ = lowest_ = begin;
    recent_count_ = 0;
    std::fill(back_.begin(), back_.end(), Real{});
    std::fill(recent_.begin(), recent_.end(), Real{});
    std::fill(front_.begin(), front_.end(), Real{});
    if (begin >= end) return;
    anchor_ = x_[end - 1];
    const std::size_t strides = (end - begin - 1) / stride + 1;
    coarse_.assign(strides * length(), Real{});
    for (std::size_t at = 0; at + 1 < strides; ++at) {
      std::fill(total_.begin(), total_.end(), Real{});
      for (std::size_t i = end - at * stride; i-- > end - (at + 1) * stride;) add(i, total_.data());
      for (std::size_t k = 0; k < length(); ++k)
        coarse_[(at + 1) * length() + k] = coarse_[at * length() + k] + total_[k];
    }
    fill_stride(strides - 1);
    lower_front(begin);
  }

  const SumsProblem& problem_;
  Basis basis_;
  const double *x_, *weight_;
  double scale_;
  std::size_t border_, begin_, end_, lowest_ = 0, stride_ = 0, recent_count_ = 0;
  double anchor_ = 0;
  std::vector<Real> front_, back_, recent_, total_, coarse_, fine_;
};

/// A kernel on one or on both sides of the query.
template <class Basis, std::size_t Fixed, std::size_t Degree>
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

  void run(const Execution& execution, SumsOutput out) const {
    const double* q = problem_.points.x().column(0);
    const std::size_t m = problem_.points.count(), columns = problem_.columns();
    std::size_t first = 0, last = m;
    while (first < last && !std::isfinite(q[first])) ++first;
    while (first < last && !std::isfinite(q[last - 1])) --last;
    if constexpr (Degree == 0) {
      const auto nan = std::numeric_limits<double>::quiet_NaN();
      std::fill(out.totals, out.totals + first * columns, nan);
      std::fill(out.totals + last * columns, out.totals + m * columns, nan);
    }
    const std::size_t pieces = piece_count(q, first, last);
    execution.parallel_with_progress(pieces, [&](std::size_t piece, std::size_t) {
      const std::size_t begin = first + (last - first) * piece / pieces;
      slide(q, begin, first + (last - first) * (piece + 1) / pieces, out);
    });
  }

 private:
  using Moments = MovingMoments<Basis, Fixed, Degree>;

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

  // The keys of a window: those on the left of the query, or all, and those on the right.
  struct Window {
    std::size_t low, middle, from, high;
    std::size_t first() const { return low < middle ? low : from; }
    std::size_t last() const { return from < high ? high - 1 : middle - 1; }
  };

  void slide(const double* q, std::size_t begin, std::size_t end, SumsOutput out) const {
    if (begin == end) return;
    const double scale = problem_.scale[0];
    std::size_t low = lower(q[begin]), high = low, middle = low;
    Moments left(problem_, basis_, low), right(problem_, basis_, low);
    ExactSums exact(problem_);
    MomentParts parts(problem_);
    std::vector<double> mass(1 + sizes_);
    std::vector<Extended> moment_sizes(problem_.columns());
    for (std::size_t point = begin; point < end; ++point) {
      const double at = q[point];
      while (low < n_ && (x_[low] - at) * scale < -1) ++low;
      while (high < n_ && (x_[high] - at) * scale <= 1 && !(problem_.causal && x_[high] > at)) ++high;
      Window window{low, high, high, high};
      if (!one_window_) {
        if (problem_.leave_one_out) {
          middle = point;
        } else {
          while (middle < high && x_[middle] <= at) ++middle;
          middle = std::max(middle, low);
        }
        window.middle = middle;
        window.from = problem_.leave_one_out ? point + 1 : middle;
      }
      if constexpr (Degree == 0)
        sum(left, right, window, at, point, mass, exact, out.totals + point * problem_.columns());
      else
        find_moments(left, right, window, at, point, moment_sizes, parts, *out.moments);
    }
  }

  void sum(Moments& left, Moments& right, const Window& window, double at, std::size_t point, std::vector<double>& mass,
           ExactSums& exact, double* row) const {
    const std::size_t columns = problem_.columns();
    std::fill_n(row, columns, 0.0);
    if (window.low >= window.high) return;
    // Sums of what is weighted: of the observation weights, and of the sizes.
    std::fill(mass.begin(), mass.end(), 0.0);
    if (window.low < window.middle) evaluate(left, window.low, window.middle, at, 1, row, mass.data());
    if (window.from < window.high) evaluate(right, window.from, window.high, at, -1, row, mass.data());
    bool holds = row[0] > smallest_ * mass[0];
    for (std::size_t c = 1; c <= sizes_; ++c) holds = holds && row[columns - c] >= smallest_ * mass[c];
    if (!holds) exact.find(&at, problem_.self(point), row);
  }

  void find_moments(Moments& left, Moments& right, const Window& window, double at, std::size_t point,
                    std::vector<Extended>& sizes, MomentParts& parts, const MomentsTaker& take) const {
    parts.clear();
    std::fill(sizes.begin(), sizes.end(), 0.0);
    if (window.low < window.middle) add_moments(left, window.low, window.middle, at, 1, parts, sizes);
    if (window.from < window.high) add_moments(right, window.from, window.high, at, -1, parts, sizes);
    WindowMoments moments;
    if (!parts.join(moments)) return;
    moments.sizes = sizes.data();
    moments.extent = (x_[window.last()] - x_[window.first()]) * problem_.scale[0];
    moments.rounding = static_cast<double>(Basis::rounding);
    take(point, moments);
  }

  // The moments over [begin, end) become a part; adds to sizes what is weighted there.
  void add_moments(Moments& moments, std::size_t begin, std::size_t end, double q, double sign, MomentParts& parts,
                   std::vector<Extended>& sizes) const {
    const Extended* sums = moments.move(begin, end);
    Extended e[Basis::features];
    basis_.at_query((Extended(q) - moments.anchor()) * problem_.scale[0], sign, e);
    Extended* out = parts.add(moments.anchor());
    for (std::size_t c = 0; c < problem_.columns(); ++c) {
      const Extended* of_column = sums + moments.offset(c);
      for (std::size_t r = 0; r <= problem_.order(c); ++r, ++out) {
        *out = 0;
        for (int j = 0; j < Basis::features; ++j)
          *out += e[j] * of_column[r * Basis::step + static_cast<std::size_t>(j)];
      }
      sizes[c] += of_column[0];
    }
  }

  // Adds the sums over [begin, end) to row, and those of what is weighted there to mass.
  void evaluate(Moments& moments, std::size_t begin, std::size_t end, double q, double sign, double* row,
                double* mass) const {
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
    for (std::size_t i = 0; i < n; ++i) sizes.column(c)[i] = abs(problem.values[wide[c]][i]);
    more.values.push_back(sizes.column(c));
  }
  Columns rows(1, m * more.columns());
  SlidingWindows<Basis, 0, 0>(more, wide.size(), basis, is_even, smallest).run(execution, {rows.column(0)});
  for (std::size_t point = 0; point < m; ++point)
    std::copy_n(rows.column(0) + point * more.columns(), columns, out.totals + point * columns);
}

template <class Basis>
void slide_moments(const SumsProblem& problem, Basis basis, bool is_even, const Execution& execution, SumsOutput out) {
  if (problem.degree == 1)
    SlidingWindows<Basis, 0, 1>(problem, 0, basis, is_even, 0).run(execution, out);
  else
    SlidingWindows<Basis, 0, 2>(problem, 0, basis, is_even, 0).run(execution, out);
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
    SlidingWindows<Basis, 2, 0>(problem, 0, basis, is_even, smallest).run(execution, out);
  else
    SlidingWindows<Basis, 0, 0>(problem, 0, basis, is_even, smallest).run(execution, out);
}

Cosine square_of(const Cosine& k) { return {2 * k.angle, 0.5}; }

template <class Basis>
void slide_kernel(const SumsProblem& problem, Basis basis, bool is_even, double smallest, const Execution& execution,
                  SumsOutput out) {
  if (problem.degree > 0 && problem.squared)
    slide_moments(problem, square_of(basis), is_even, execution, out);
  else if (problem.degree > 0)
    slide_moments(problem, basis, is_even, execution, out);
  else
    slide(problem, basis, is_even, smallest, execution, out);
}

// The share of a window's mass that its weights must reach. Expanding a kernel of degree g about an anchor up to 2
// half- widths away multiplies rounding errors by up to (1 + 3)^g in theory, by 2^g in the windows measured; below the
// share, that could pass 1e-12 of the result, and the query is summed directly. Sums of |w v| are held to the same.
double smallest_share_of(Kernel kernel) {
  switch (kernel) {
    case Kernel::triangular:
    case Kernel::epanechnikov: return 1e-3;
    case Kernel::parabolic:
    case Kernel::cosine: return 4e-3;
    case Kernel::biweight: return 1e-2;
    case Kernel::triweight:
    case Kernel::tricube: return 4e-2;
    default: return 0;
  }
}

}  // namespace

void window_sums(const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  const double smallest = smallest_share_of(problem.kernel);
  if (problem.kernel == Kernel::cosine) return slide_kernel(problem, Cosine{}, true, smallest, execution, out);
  // The constant kernel, whose scale is 0, is a boxcar that reaches everything.
  if (problem.kernel == Kernel::constant) return slide(problem, Polynomial<0>{{1}}, true, 0, execution, out);
  with_polynomial(problem.kernel, [&](auto polynomial, bool is_even) {
    slide_kernel(problem, polynomial, is_even, smallest, execution, out);
  });
}

}  // namespace attn
