// Widths by neighbours in one dimension: every query has a width of its own.
//
// Runs of 32 sorted keys, of 64, 128 and so on have moments about the middle c of their extent,
//
//     M_j = sum_i v_i t_i^j,    t = (x - c) / radius,    |t| <= 1
//
// and a kernel is a power series in t: K(|s - scale (x - c)|) = sum_j e_j(s) (scale radius t)^j with s = scale (q - c).
// So a run adds, to the moments about its c of a window of any width,
//
//     sum_i K(u_i) v_i (scale (x_i - c))^r = rho^r sum_j e_j(s) rho^j M_(j+r),    rho = scale radius
//
// A window is a few runs, the longest that are narrow beside the width, and some keys at its ends. The series of
// compact kernels are finite or nearly so; those of the Gaussian and Laplace are cut where the rest is below the
// rounding. Source: Greengard and Strain 1991, "The fast Gauss transform".
#include <attn/core/constants.hpp>
#include <attn/regression/sums/kernel_polynomials.hpp>
#include <attn/regression/sums/moments.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {
namespace {

/// The power series of a kernel about s. most(s): the largest rho for which it serves.
template <int Degree>
struct PolynomialSeries {
  static constexpr int terms = Degree + 1;
  Polynomial<Degree> kernel;
  static double most(double) { return 0.25; }
  void find(double s, double sign, double* e) const { kernel.at_query(s, sign, e); }
};

/// mean + (1 - mean) cos(angle u)
struct CosineSeries {
  static constexpr int terms = 20;
  double angle = 0.5 * pi, mean = 0;
  static double most(double) { return 0.25; }
  void find(double s, double, double* e) const {
    const double by_power[] = {std::cos(angle * s), std::sin(angle * s), -std::cos(angle * s), -std::sin(angle * s)};
    double factor = 1 - mean;
    for (int j = 0; j < terms; factor *= angle / (j + 1), ++j) e[j] = factor * by_power[j % 4];
    e[0] += mean;
  }
};

constexpr double reciprocal[] = {0,        1,        1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
                                 1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
                                 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23};

/// At most exp(x), for x >= 0.
double below_exp(double x) { return 1 + x + 0.5 * x * x; }

/// exp(-(s - t)^2 / 2) = sum_j He_j(s) exp(-s^2 / 2) t^j / j!
struct GaussianSeries {
  static constexpr int terms = 24;
  // The rest is at most 1.1 exp(-s^2 / 4) rho^24 / sqrt(24!), 1e-17 at rho = 0.6 exp(s^2 / 96).
  static double most(double s) { return 0.6 * below_exp(std::min(s * s, 100.0) / 96); }
  static void find(double s, double, double* e) {
    e[0] = std::exp(-0.5 * s * s);
    e[1] = s * e[0];
    for (int j = 1; j + 1 < terms; ++j) e[j + 1] = (s * e[j] - e[j - 1]) * reciprocal[j + 1];
  }
};

/// exp(-|s - t|) of keys on one side.
struct LaplaceSeries {
  static constexpr int terms = 24;
  // The rest is at most exp(rho - |s|) rho^24 / 24!, 1e-17 at rho = 1.6 exp(|s| / 28).
  static double most(double s) { return 1.6 * below_exp(std::min(std::abs(s), 40.0) / 28); }
  static void find(double s, double sign, double* e) {
    e[0] = std::exp(-std::abs(s));
    for (int j = 1; j < terms; ++j) e[j] = e[j - 1] * sign * reciprocal[j];
  }
};

template <class Series>
class NeighbourSums {
 public:
  NeighbourSums(const SumsProblem& problem, Series series, bool is_even, const Execution& execution)
      : problem_(problem),
        series_(series),
        is_even_(is_even),
        rows_(problem.samples, problem.row_parameters()),
        x_(problem.samples.x.column(0)),
        n_(problem.samples.n),
        slack_(Metric::rounding_of_squares(1)),
        reach_(reach_of(problem)) {
    for (std::size_t c = 0; c < problem.columns(); ++c) {
      offset_.push_back(problem.offset(c));
      run_offset_.push_back(run_length_);
      run_length_ += powers(c);
    }
    count_places();
    build(execution);
  }

  void run(const Execution& execution, SumsOutput out) const {
    constexpr std::size_t block = 64;
    const std::size_t first = problem_.points.first, m = problem_.points.end() - first;
    execution.parallel_with_progress((m + block - 1) / block, [&](std::size_t task, std::size_t) {
      Scratch scratch;
      for (std::size_t point = first + task * block; point < first + std::min(m, (task + 1) * block); ++point)
        find(point, scratch, *out.moments);
    });
  }

 private:
  static constexpr std::size_t leaf = 32;
  static constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

  struct Level {
    std::vector<double> centre, radius;  // of each run
    Columns moments;                     // one column, (runs, run_length_)
    std::size_t count() const noexcept { return centre.size(); }
  };
  struct Scratch {
    WeightRows::Scratch rows;
    std::vector<double> origins, parts;  // parts: the moments about each origin
    std::vector<double> sizes, total;
    std::vector<Extended> sums, of_columns;
  };
  struct Window {
    double q, scale;
    Scratch& scratch;
  };

  // How many moments a run has of a column.
  std::size_t powers(std::size_t c) const noexcept { return Series::terms + problem_.order(c); }

  // Beyond this distance, all weights together are 1e-17 of a mass of 0.01; see find().
  static double reach_of(const SumsProblem& problem) {
    if (is_compact(problem.kernel)) return 1;
    const double exponent = 44 + std::log(static_cast<double>(problem.samples.n) * problem.samples.y_spread);
    return problem.kernel == Kernel::gaussian ? std::sqrt(2 * exponent) : exponent;
  }

  double weight(std::size_t i) const noexcept { return problem_.weight != nullptr ? problem_.weight[i] : 1.0; }

  // places_[i]: how many different x the keys before i have, of those with a weight.
  void count_places() {
    places_.assign(n_ + 1, 0);
    double last = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < n_; ++i) {
      const bool is_new = weight(i) > 0 && x_[i] != last;
      places_[i + 1] = places_[i] + (is_new ? 1 : 0);
      if (is_new) last = x_[i];
    }
  }

  // The places of keys [begin, end), which are all of their places, without self.
  std::size_t places_of(std::size_t begin, std::size_t end, std::size_t self) const {
    const std::size_t places = places_[end] - places_[begin];
    if (self < begin || self >= end || weight(self) == 0) return places;
    for (std::size_t i = self; i-- > begin && x_[i] == x_[self];)
      if (weight(i) > 0) return places;
    for (std::size_t i = self + 1; i < end && x_[i] == x_[self]; ++i)
      if (weight(i) > 0) return places;
    return places - 1;
  }

  void build(const Execution& execution) {
    for (std::size_t length = leaf; length <= n_; length *= 2) {
      Level level;
      level.centre.resize(n_ / length);
      level.radius.resize(level.count());
      level.moments = Columns(1, level.count() * run_length_);
      const Level* finer = levels_.empty() ? nullptr : &levels_.back();
      constexpr std::size_t block = 64;
      execution.parallel((level.count() + block - 1) / block, [&](std::size_t task, std::size_t) {
        std::vector<double> shifted(run_length_);
        for (std::size_t k = task * block; k < std::min(level.count(), (task + 1) * block); ++k) {
          const double low = x_[k * length], high = x_[(k + 1) * length - 1];
          level.centre[k] = 0.5 * low + 0.5 * high;
          level.radius[k] = std::max(high - level.centre[k], level.centre[k] - low);
          double* moments = level.moments.column(0) + k * run_length_;
          std::fill_n(moments, run_length_, 0.0);
          if (finer == nullptr)
            add_to_run(k * length, (k + 1) * length, level.centre[k], level.radius[k], moments);
          else
            for (const std::size_t half : {2 * k, 2 * k + 1})
              join(*finer, half, level.centre[k], level.radius[k], shifted, moments);
        }
      });
      levels_.push_back(std::move(level));
    }
  }

  void add_to_run(std::size_t begin, std::size_t end, double centre, double radius, double* moments) const {
    for (std::size_t i = begin; i < end; ++i) {
      const double t = radius > 0 ? (x_[i] - centre) / radius : 0;
      for (std::size_t c = 0; c < problem_.columns(); ++c) {
        double power = weight(i) * (c > 0 ? problem_.values[c - 1][i] : 1);
        double* of_column = moments + run_offset_[c];
        for (std::size_t j = 0; j < powers(c); ++j, power *= t) of_column[j] += power;
      }
    }
  }

  void join(const Level& finer, std::size_t k, double centre, double radius, std::vector<double>& shifted,
            double* moments) const {
    const double ratio = radius > 0 ? finer.radius[k] / radius : 0;
    const double step = radius > 0 ? (finer.centre[k] - centre) / radius : 0;
    const double* from = finer.moments.column(0) + k * run_length_;
    for (std::size_t c = 0; c < problem_.columns(); ++c) {
      double power = 1;
      for (std::size_t j = 0; j < powers(c); ++j, power *= ratio) shifted[j] = from[run_offset_[c] + j] * power;
      shift_moments(shifted.data(), powers(c) - 1, step);
      for (std::size_t j = 0; j < powers(c); ++j) moments[run_offset_[c] + j] += shifted[j];
    }
  }

  bool is_near(double step) const noexcept {
    if (!is_compact(problem_.kernel)) return std::abs(step) <= reach_;
    return problem_.kernel == Kernel::boxcar ? step * step <= 1 + slack_ : step * step < 1 - slack_;
  }

  void find(std::size_t point, Scratch& scratch, const MomentsTaker& take) const {
    const double q = problem_.points.x().column(0)[point];
    if (!std::isfinite(q)) return;
    const std::size_t self = problem_.self(point);
    const double distance = rows_.neighbour_distance(&q, self, scratch.rows);
    if (distance == infinity) return;
    // Where all neighbours are at the query, so is the window.
    const double scale = distance > 0 ? problem_.scale[0] / (distance * problem_.kernel_scale) : 0;
    if (!std::isfinite(scale)) return;
    const auto near = [&](double x) { return scale > 0 ? is_near((x - q) * scale) : x == q; };
    const auto at = [&](auto is_before) {
      return static_cast<std::size_t>(std::partition_point(x_, x_ + n_, is_before) - x_);
    };
    const std::size_t low = at([&](double x) { return x < q && !near(x); }),
                      middle = at([&](double x) { return x <= q; });
    const std::size_t high = problem_.causal ? middle : at([&](double x) { return x <= q || near(x); });
    scratch.origins.clear();
    scratch.parts.clear();
    scratch.sizes.assign(problem_.columns(), 0.0);
    const Window window{q, scale, scratch};
    if (problem_.leave_one_out) {
      add(window, low, self, 1);
      add(window, self + 1, high, -1);
    } else if (is_even_) {
      add(window, low, high, 1);
    } else {
      add(window, low, middle, 1);
      add(window, middle, high, -1);
    }
    WindowMoments moments;
    if (!join_parts(window, moments)) return;
    if (!is_compact(problem_.kernel) && !(moments.sums[0] > 0.01)) return;
    if (is_compact(problem_.kernel)) moments.extent = (x_[high - 1] - x_[low]) * scale;
    moments.scale = scale;
    moments.rounding = rounding;
    moments.places = scale > 0 ? places_of(low, high, self) : 1;
    take(point, moments);
  }

  // Adds keys [begin, end), of which none is on the other side of the query if the kernel is not even. sign: 1 for keys
  // on its left.
  void add(const Window& window, std::size_t begin, std::size_t end, double sign) const {
    while (begin < end) {
      std::size_t found = levels_.size(), length = leaf;
      for (std::size_t at = 0; at < levels_.size(); ++at) {
        const std::size_t size = leaf << at;
        if (begin % size != 0 || begin + size > end) break;
        const double s = (window.q - levels_[at].centre[begin / size]) * window.scale;
        if (levels_[at].radius[begin / size] * window.scale > series_.most(s)) break;
        found = at;
        length = size;
      }
      const std::size_t stop = found < levels_.size() ? begin + length : std::min(end, (begin / leaf + 1) * leaf);
      if (found < levels_.size())
        add_run(window, levels_[found], begin / length, sign);
      else
        add_keys(window, begin, stop);
      begin = stop;
    }
  }

  double* new_part(Scratch& scratch, double origin) const {
    scratch.origins.push_back(origin);
    scratch.parts.resize(scratch.parts.size() + problem_.length());
    return scratch.parts.data() + scratch.parts.size() - problem_.length();
  }

  void add_run(const Window& window, const Level& level, std::size_t k, double sign) const {
    const double rho = level.radius[k] * window.scale;
    double e[Series::terms], size = 0, power = 1;
    series_.find((window.q - level.centre[k]) * window.scale, sign, e);
    for (int j = 0; j < Series::terms; ++j, power *= rho) size += std::abs(e[j] *= power);
    const double* moments = level.moments.column(0) + k * run_length_;
    double* out = new_part(window.scratch, level.centre[k]);
    for (std::size_t c = 0; c < problem_.columns(); ++c) {
      const double* of_column = moments + run_offset_[c];
      window.scratch.sizes[c] += size * of_column[0];
      double unit = 1;
      for (std::size_t r = 0; r <= problem_.order(c); ++r, unit *= rho) {
        double sum = 0;
        for (int j = 0; j < Series::terms; ++j) sum += e[j] * of_column[r + static_cast<std::size_t>(j)];
        *out++ = sum * unit;
      }
    }
  }

  void add_keys(const Window& window, std::size_t begin, std::size_t end) const {
    const double origin = x_[begin + (end - begin) / 2];
    double* sums = new_part(window.scratch, origin);
    for (std::size_t i = begin; i < end; ++i) {
      double w = kernel_weight(problem_.kernel, std::abs(x_[i] - window.q) * window.scale);
      if (problem_.squared) w *= w;
      w *= weight(i);
      const double z = (x_[i] - origin) * window.scale;
      for (std::size_t c = 0; c < problem_.columns(); ++c) {
        double power = w * (c > 0 ? problem_.values[c - 1][i] : 1);
        window.scratch.sizes[c] += power;
        double* of_column = sums + offset_[c];
        for (std::size_t r = 0; r <= problem_.order(c); ++r, power *= z) of_column[r] += power;
      }
    }
  }

  // The moments about the weighted mean of the window; false if the weights add up to nothing.
  bool join_parts(const Window& window, WindowMoments& out) const {
    Scratch& s = window.scratch;
    const std::size_t length = problem_.length(), count = s.origins.size();
    double mass = 0, first = 0;  // about the first origin
    for (std::size_t part = 0; part < count; ++part) {
      const double* sums = s.parts.data() + part * length;
      mass += sums[0];
      if (problem_.degree > 0) first += sums[1] + (s.origins[part] - s.origins[0]) * window.scale * sums[0];
    }
    if (!(mass > 0)) return false;
    out.origin = window.scale > 0 ? s.origins[0] + first / mass / window.scale : window.q;
    s.total.assign(length, 0.0);
    for (std::size_t part = 0; part < count; ++part) {
      double* sums = s.parts.data() + part * length;
      const double step = (s.origins[part] - out.origin) * window.scale;
      for (std::size_t c = 0; c < problem_.columns(); ++c) shift_moments(sums + offset_[c], problem_.order(c), step);
      for (std::size_t k = 0; k < length; ++k) s.total[k] += sums[k];
    }
    s.sums.assign(s.total.begin(), s.total.end());
    s.of_columns.assign(s.sizes.begin(), s.sizes.end());
    out.sums = s.sums.data();
    out.sizes = s.of_columns.data();
    return true;
  }

  const SumsProblem& problem_;
  Series series_;
  bool is_even_;
  WeightRows rows_;
  const double* x_;
  std::size_t n_;
  double slack_, reach_;
  std::vector<std::size_t> offset_, run_offset_;
  std::size_t run_length_ = 0;
  std::vector<std::uint32_t> places_;
  std::vector<Level> levels_;
};

template <class Series>
void find_sums(const SumsProblem& problem, Series series, bool is_even, const Execution& execution, SumsOutput out) {
  NeighbourSums<Series>(problem, series, is_even, execution).run(execution, out);
}

template <int Degree>
void find_sums(const SumsProblem& problem, const Polynomial<Degree>& kernel, bool is_even, const Execution& execution,
               SumsOutput out) {
  find_sums(problem, PolynomialSeries<Degree>{kernel}, is_even, execution, out);
}

}  // namespace

void neighbour_sums(const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  switch (problem.kernel) {
    case Kernel::gaussian: return find_sums(problem, GaussianSeries{}, true, execution, out);
    case Kernel::laplace: return find_sums(problem, LaplaceSeries{}, false, execution, out);
    case Kernel::cosine:
      return find_sums(problem, problem.squared ? CosineSeries{pi, 0.5} : CosineSeries{}, true, execution, out);
    default: break;
  }
  with_polynomial(problem.kernel, [&](auto polynomial, bool is_even) {
    if (problem.squared)
      find_sums(problem, square_of(polynomial), is_even, execution, out);
    else
      find_sums(problem, polynomial, is_even, execution, out);
  });
}

}  // namespace attn
