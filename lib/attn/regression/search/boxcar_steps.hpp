#pragma once
// The criterion of the boxcar kernel changes only where the width passes a distance between two samples: it is a step
// function, and every step can be evaluated.

#include <attn/regression/search/criterion.hpp>

#include <vector>

namespace attn {

/// Visits the steps from narrow to wide; the sums of each window grow by one sample at a time, so that nothing is
/// subtracted. One width for all coordinates, degree 0.
class BoxcarSteps {
 public:
  static bool serves(const KernelRegression::Prepared& samples, const Smoother& smoother);
  BoxcarSteps(const KernelRegression::Prepared& samples, const Smoother& smoother, Criterion criterion, Loss loss);

  /// Approximate number of pairs with a distance above `low` and at most `high`.
  double count(double low, double high) const;

  struct Step {
    double low = 0, high = 0;  ///< half-widths in [low, high) have
    double criterion = std::numeric_limits<double>::infinity();
  };
  /// The first of the lowest steps within [low, high]. Skips steps narrower than 1e-9 of their width. Needs memory for
  /// count() pairs.
  Step least(double low, double high);

 private:
  struct Pair {
    double distance;
    std::uint32_t a, b;
  };
  template <class F>
  void for_each_pair(double high, std::size_t stride, F f) const;
  double distance(std::size_t a, std::size_t b) const;
  void begin();
  void join(const Pair& pair);
  void add(std::size_t to, std::size_t from);
  void settle(std::size_t i);
  double criterion() const;

  // A compensated sum, so that losses can be replaced in it.
  struct Total {
    double high = 0, low = 0;
    void add(double x) {
      const double sum = high + x, part = sum - high;
      low += (high - (sum - part)) + (x - part);
      high = sum;
    }
    double value() const { return high + low; }
  };

  const KernelRegression::Prepared& samples_;
  const Smoother& smoother_;
  Criterion criterion_;
  Loss loss_;
  std::size_t counted_;
  std::vector<Moments> moments_;                    // (C)
  std::vector<double> newest_;                      // with decay: the last sample of each window, (n)
  std::vector<double> weight_, sum_, cost_, self_;  // (n), (n, C), (n, C), (n)
  std::vector<Total> totals_;                       // (C)
  Total trace_;
  double unit_ = 1;  // a power of two that keeps squares of distances in range
};

}  // namespace attn
