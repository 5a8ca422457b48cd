#pragma once
// Numbers with more digits than double, on every processor: x87's long double on x86-64, where pairs of doubles take
// four times as long; pairs elsewhere, where long double is a library's and takes seven times as long as they do.

#include <cmath>
#include <limits>

namespace attn {

/// The sum of two doubles of which the second is at most half a unit in the last place of the first: 106 bits, and
/// double's range. Sums and products are right to 2^-100, quotients and roots to 2^-98. Source: Dekker 1971, "A
/// floating-point technique for extending the available precision"; Joldes et al. 2017, "Tight and rigorous error
/// bounds for basic building blocks of double-word arithmetic".
class DoubleDouble {
 public:
  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double x) : high_(x) {}  // implicit, as double becomes long double
  constexpr explicit operator double() const { return high_; }

  constexpr DoubleDouble operator-() const { return {-high_, -low_}; }

  friend DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = sum(a.high_, b.high_), low = sum(a.low_, b.low_);
    const DoubleDouble once = ordered_sum(high.high_, high.low_ + low.high_);
    return ordered_sum(once.high_, once.low_ + low.low_);
  }
  friend DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
  friend DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const double high = a.high_ * b.high_;
    if (!std::isfinite(high)) return high;
    const double low = std::fma(a.high_, b.high_, -high) + (a.high_ * b.low_ + a.low_ * b.high_);
    return ordered_sum(high, low);
  }
  friend DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    const double first = a.high_ / b.high_;
    if (!std::isfinite(first) || std::isinf(b.high_)) return first;
    const DoubleDouble rest = a - b * first;
    return ordered_sum(first, rest.high_ / b.high_);
  }
  DoubleDouble& operator+=(DoubleDouble b) { return *this = *this + b; }
  DoubleDouble& operator-=(DoubleDouble b) { return *this = *this - b; }
  DoubleDouble& operator*=(DoubleDouble b) { return *this = *this * b; }
  DoubleDouble& operator/=(DoubleDouble b) { return *this = *this / b; }

  friend bool operator<(DoubleDouble a, DoubleDouble b) {
    return a.high_ < b.high_ || (a.high_ == b.high_ && a.low_ < b.low_);
  }
  friend bool operator>(DoubleDouble a, DoubleDouble b) { return b < a; }
  friend bool operator<=(DoubleDouble a, DoubleDouble b) { return a < b || a == b; }
  friend bool operator>=(DoubleDouble a, DoubleDouble b) { return b <= a; }
  friend bool operator==(DoubleDouble a, DoubleDouble b) { return a.high_ == b.high_ && a.low_ == b.low_; }

  friend DoubleDouble abs(DoubleDouble x) { return x.high_ < 0 ? -x : x; }
  friend DoubleDouble sqrt(DoubleDouble x) {
    const double first = std::sqrt(x.high_);
    if (!(first > 0) || std::isinf(first)) return first;
    const DoubleDouble rest = x - DoubleDouble(first) * first;
    return ordered_sum(first, rest.high_ / (2 * first));
  }

 private:
  constexpr DoubleDouble(double high, double low) : high_(high), low_(low) {}
  /// a + b without error; an infinite or undefined sum has no low part.
  static DoubleDouble sum(double a, double b) {
    const double s = a + b, of_b = s - a, error = (a - (s - of_b)) + (b - of_b);
    return {s, std::isfinite(s) ? error : 0};
  }
  /// The same for |a| >= |b|, or a = 0.
  static DoubleDouble ordered_sum(double a, double b) {
    const double s = a + b;
    return {s, std::isfinite(s) ? b - (s - a) : 0};
  }

  double high_ = 0, low_ = 0;
};

#if defined(__x86_64__)
using Extended = long double;
constexpr double extended_epsilon = static_cast<double>(std::numeric_limits<long double>::epsilon());
#else
using Extended = DoubleDouble;
constexpr double extended_epsilon = 0x1p-100;
#endif

}  // namespace attn
