#include <attn/regression/sums/series_error.hpp>

#include <attn/core/infinity.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr double smallest_share = 1e-5;
constexpr double farthest = 25;  // every term has decayed below 1e-30

}  // namespace

SeriesTrust::SeriesTrust(const SumsProblem& problem, const Execution& execution)
    : problem_(problem),
      x_(problem.samples.x.column(0)),
      n_(problem.samples.n),
      blocks_((n_ + block_keys - 1) / block_keys),
      scale_(problem.scale[0]),
      whole_(blocks_, true) {
  for (std::size_t c = 0; c < problem.columns(); ++c) {
    Column column;
    column.values = c == 0 ? nullptr : problem.values[c - 1];
    if (c > 0 && spread_of(problem, c) <= harmless_spread) continue;
    const std::vector<double> mass = bound(column, execution);
    // The farthest that a query of the block can be from the block before, the one after, and from the block's keys.
    for (std::size_t b = 0; b < blocks_; ++b) {
      const bool has_ends = b > 0 && b + 1 < blocks_;
      if (!has_ends) {
        whole_[b] = false;
        continue;
      }
      const double before = end(b - 1), after = start(b + 1);
      const double near = (column.left[b] + column.right[b]) * faded(after - before) +
                          mass[b] * faded(std::max(after - start(b), end(b) - before));
      whole_[b] = whole_[b] && near >= smallest_share * column.reach[b];
    }
    columns_.push_back(std::move(column));
  }
}

double SeriesTrust::magnitude(const Column& column, std::size_t i) const {
  const double w = problem_.weight != nullptr ? problem_.weight[i] : 1.0;
  return column.values != nullptr ? w * std::abs(column.values[i]) : w;
}

double SeriesTrust::faded(double distance) const { return std::exp(-3 * distance * scale_); }

// Fills the column's bounds; returns the sums of |v_i| of the blocks, each without its largest where that may be the
// query itself.
std::vector<double> SeriesTrust::bound(Column& column, const Execution& execution) const {
  std::vector<double> mass(blocks_), others(blocks_);
  constexpr std::size_t part = 1024;
  execution.parallel((blocks_ + part - 1) / part, [&](std::size_t task, std::size_t) {
    for (std::size_t b = task * part; b < std::min(blocks_, (task + 1) * part); ++b) {
      double sum = 0, largest = 0;
      for (std::size_t i = first_key(b); i < first_key(b + 1); ++i) {
        const double size = magnitude(column, i);
        sum += std::min(size, largest);  // the largest so far waits
        largest = std::max(size, largest);
      }
      others[b] = problem_.leave_one_out ? sum : sum + largest;
      mass[b] = sum + largest;
    }
  });
  column.left.assign(blocks_, 0.0);
  column.right.assign(blocks_, 0.0);
  for (std::size_t b = 1; b < blocks_; ++b) {
    const std::size_t last = first_key(b) - 1;
    column.left[b] = (b > 1 ? column.left[b - 1] * faded(end(b - 1) - end(b - 2)) : 0) +
                     std::max(magnitude(column, last), mass[b - 1] * faded(end(b - 1) - start(b - 1)));
  }
  for (std::size_t b = blocks_; b-- > 1;) {
    const std::size_t first = first_key(b);
    column.right[b - 1] = (b + 1 < blocks_ ? column.right[b] * faded(start(b + 1) - start(b)) : 0) +
                          std::max(magnitude(column, first), mass[b] * faded(end(b) - start(b)));
  }
  bound_reach(column, mass);
  return others;
}

void SeriesTrust::bound_reach(Column& column, const std::vector<double>& mass) const {
  column.reach.assign(blocks_, 0.0);
  std::vector<double> before(blocks_ + 1, 0.0);
  for (std::size_t b = 0; b < blocks_; ++b) before[b + 1] = before[b] + mass[b];
  const double distance = farthest / scale_;
  std::size_t low = 0, high = 0;
  for (std::size_t b = 0; b < blocks_; ++b) {
    const double left = b > 0 ? end(b - 1) - distance : -infinity;
    const double right = b + 1 < blocks_ ? start(b + 1) + distance : infinity;
    while (low < blocks_ && end(low) < left) ++low;
    while (high < blocks_ && start(high) <= right) ++high;
    // Largest rounding error of the difference of two large sums.
    const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(high) * before[high];
    column.reach[b] = before[high] - before[low] + rounding;
  }
}

bool SeriesTrust::holds(const Column& column, double q, std::size_t self, std::size_t block) const {
  double near = 0;
  if (block > 0) near += column.left[block] * faded(q - end(block - 1));
  if (block + 1 < blocks_) near += column.right[block] * faded(start(block + 1) - q);
  // In the block itself, the keys next to the query are enough.
  const std::size_t begin = first_key(block), stop = first_key(block + 1);
  const auto at = static_cast<std::size_t>(std::lower_bound(x_ + begin, x_ + stop, q) - x_);
  for (std::size_t i = at < begin + 2 ? begin : at - 2; i < std::min(stop, at + 2); ++i)
    if (i != self) near += magnitude(column, i) * faded(std::abs(q - x_[i]));
  return near >= smallest_share * column.reach[block];
}

bool SeriesTrust::holds(double q, std::size_t self, std::size_t block) const {
  return whole_[block] || std::all_of(columns_.begin(), columns_.end(),
                                      [&](const Column& column) { return holds(column, q, self, block); });
}

}  // namespace attn
