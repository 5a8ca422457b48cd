#include <attn/regression/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

Sweep::Sweep(const SumsProblem& problem, double reach)
    : problem_(problem),
      x_(problem.samples.x.column(0)),
      q_(problem.points.x().column(0)),
      n_(problem.samples.n),
      first_(0),
      last_(problem.points.count()),
      distance_(reach / problem.scale[0]) {
  while (first_ < last_ && !std::isfinite(q_[first_])) ++first_;
  while (first_ < last_ && !std::isfinite(q_[last_ - 1])) --last_;
  if (problem.points.samples != nullptr) return;
  border_.resize(problem.points.count());
  std::size_t key = 0;
  for (std::size_t point = first_; point < last_; ++point) {
    while (key < n_ && x_[key] <= q_[point]) ++key;
    border_[point] = static_cast<std::uint32_t>(key);
  }
}

void Sweep::run(const Execution& execution, SumsOutput out, const std::function<void(const Piece&)>& piece) const {
  const std::size_t columns = problem_.columns(), m = problem_.points.count();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill(out.totals, out.totals + first_ * columns, nan);
  std::fill(out.totals + last_ * columns, out.totals + m * columns, nan);
  if (first_ == last_) return;
  const auto below = [&](double q) {
    return static_cast<std::size_t>(std::lower_bound(x_, x_ + n_, q - distance_) - x_);
  };
  const auto above = [&](double q) {
    return static_cast<std::size_t>(std::upper_bound(x_, x_ + n_, q + distance_) - x_);
  };
  std::size_t pieces = 1;
  if (last_ - first_ >= 8192) {
    constexpr std::size_t probes = 64;
    std::size_t reached = 0;
    for (std::size_t probe = 0; probe < probes; ++probe) {
      const double at = q_[first_ + (last_ - first_) * probe / probes];
      reached += above(at) - below(at);
    }
    pieces = (n_ + last_ - first_) / 4 / (reached / probes + 1);
    pieces = std::clamp<std::size_t>(std::min(pieces, (last_ - first_) / 4096), 1, 64);
  }
  execution.parallel(pieces, [&](std::size_t task, std::size_t) {
    Piece p{first_ + (last_ - first_) * task / pieces, first_ + (last_ - first_) * (task + 1) / pieces, 0, 0};
    if (p.begin == p.end) return;
    // The nearest key on either side counts however far it is.
    const auto left = static_cast<std::size_t>(std::upper_bound(x_, x_ + n_, q_[p.begin]) - x_);
    const auto right = static_cast<std::size_t>(std::lower_bound(x_, x_ + n_, q_[p.end - 1]) - x_);
    p.first_key = std::min(below(q_[p.begin]), left > 1 ? left - 2 : 0);
    p.last_key = std::max(above(q_[p.end - 1]), std::min(n_, right + 2));
    piece(p);
  });
}

}  // namespace attn
