#pragma once
// A tensor for the eye: its statistics in one line, and a preview on a terminal instead of binary data.

#include <attn/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>

namespace cli {

/// An element without loss of digits: an integer for integers.
using Number = std::variant<double, std::int64_t, std::uint64_t>;

/// Statistics of the finite elements; NaN and infinities are counted separately.
struct Statistics {
  std::size_t count = 0, nans = 0, infinities = 0;
  Number least, most;
  double mean = 0;
  double deviation = 0;  ///< with the divisor n

  std::size_t finite() const noexcept { return count - nans - infinities; }
};

/// Zeros for strings.
Statistics statistics(const attn::TensorView& x);

/// The statistics of a tensor of numbers that is seen in parts.
class RunningStatistics {
 public:
  explicit RunningStatistics(attn::DType dtype);
  void see(const attn::TensorView& part) { see_(part); }
  Statistics result() const { return result_(); }

 private:
  std::function<void(const attn::TensorView& part)> see_;
  std::function<Statistics()> result_;
};

/// "min -1, max 2, mean 0.5, sd 0.8, 3 nan".
std::string to_string(const Statistics& s);

/// The single number in x, with the fewest digits that read back as the same value of its dtype.
std::string shortest(const attn::TensorView& x);

/// A number for display: at most six significant digits; integers have all.
std::string brief(const Number& value);

/// Name, dtype, shape, range and the corners of a tensor, as lines of text.
std::string preview(const attn::TensorView& x, const std::string& name);

}  // namespace cli
