#include <attn/regression/sums/line_queries.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

LineQueries::LineQueries(const SumsProblem& problem, SumsOutput out)
    : problem_(problem), last_(problem.points.count()) {
  const double* q = problem.points.x().column(0);
  const std::size_t columns = problem.columns(), m = problem.points.count();
  while (first_ < last_ && !std::isfinite(q[first_])) ++first_;
  while (first_ < last_ && !std::isfinite(q[last_ - 1])) --last_;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (out.totals != nullptr) {
    std::fill(out.totals, out.totals + first_ * columns, nan);
    std::fill(out.totals + last_ * columns, out.totals + m * columns, nan);
  }
  if (problem.points.samples != nullptr) return;
  const double* x = problem.samples.x.column(0);
  border_.resize(m);
  std::size_t key = 0;
  for (std::size_t point = first_; point < last_; ++point) {
    while (key < problem.samples.n && x[key] <= q[point]) ++key;
    border_[point] = static_cast<std::uint32_t>(key);
  }
}

std::size_t LineQueries::up_to(std::size_t key) const noexcept {
  if (border_.empty()) return key;
  const auto begin = border_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto end = border_.begin() + static_cast<std::ptrdiff_t>(last_);
  return static_cast<std::size_t>(std::upper_bound(begin, end, static_cast<std::uint32_t>(key)) - border_.begin());
}

}  // namespace attn
