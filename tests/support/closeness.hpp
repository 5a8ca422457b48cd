#pragma once
// How near is near enough: tolerances derived from the arithmetic, kept here and nowhere else.
//
// A sum of n products in a format with epsilon e, its terms bounded by `scale`, is off by at most about n e scale and
// in practice by sqrt(n) e scale. A bound is  factor * epsilon(dtype) * scale  with the factor of the operation; scale
// is the size of the data that the row was made from.

#include <attn/core/tensor.hpp>

#include <limits>
#include <string>

namespace support {

/// Distance from 1 to the next number.
template <class T>
constexpr double epsilon() {
  return static_cast<double>(std::numeric_limits<T>::epsilon());
}

namespace bound {
/// A softmax-weighted mean: exp at 2 ulp, a sum, a division; in units of epsilon * scale.
constexpr double pooling = 16;
/// Of the scale, for f64 references from outside, which were themselves rounded.
constexpr double outside_f64 = 1e-12;
}  // namespace bound

/// Compares and remembers the worst element, so that a failing test can name it:
///     CHECK_MESSAGE(near.ok(), near.worst());
class Closeness {
 public:
  Closeness(const attn::TensorView& actual, const attn::TensorView& expected, double absolute_bound);
  bool ok() const noexcept { return ok_; }
  const std::string& worst() const noexcept { return worst_; }

 private:
  bool ok_ = true;
  std::string worst_;
};

/// The same dtype, the same shape, the same bits.
bool same_bits(const attn::TensorView& a, const attn::TensorView& b);

/// Largest finite magnitude in x, at least `floor`: the scale for a bound.
double scale_of(const attn::TensorView& x, double floor = 0);

}  // namespace support
