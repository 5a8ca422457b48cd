#include <attn/regression/samples/cell_grid.hpp>

#include <algorithm>
#include <cmath>

namespace attn {

CellGrid::CellGrid(const SumsProblem& problem)
    : axes_(std::min<std::size_t>(problem.samples.d, 4)),
      scale_(problem.scale),
      has_weight_(problem.weight != nullptr) {
  const KernelRegression::Prepared& samples = problem.samples;
  const std::size_t n = samples.n;
  const double tolerance = std::max(problem.tolerance, 0x1p-54 / samples.y_spread);
  radius_ = is_compact(problem.kernel)
                ? 1
                : std::sqrt(-2 * std::log(tolerance / static_cast<double>(std::max<std::size_t>(n, 1))));
  // Cells of a third of the reach; fewer where that makes more cells than samples.
  const double most = std::max(1.0, std::floor(std::pow(static_cast<double>(n), 1.0 / static_cast<double>(axes_))));
  std::size_t total = 1;
  for (std::size_t axis = 0; axis < axes_; ++axis) {
    const double* x = samples.x.column(axis);
    const auto [low, high] = n > 0 ? std::minmax_element(x, x + n) : std::make_pair(x, x);
    const double extent = n > 0 ? *high - *low : 0;
    const double wanted = std::ceil(3 * extent * scale_[axis] / radius_);
    const double count = wanted >= 1 ? std::min(wanted, most) : 1;
    low_.push_back(n > 0 ? *low : 0);
    cells_.push_back(static_cast<std::size_t>(count));
    inverse_.push_back(extent > 0 && std::isfinite(extent) ? count / extent : 0);
    total *= cells_.back();
  }
  // A counting sort by cell; samples of a cell stay in prepared order.
  std::vector<std::uint32_t> cell(n);
  begin_.assign(total + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t index = 0;
    for (std::size_t axis = 0; axis < axes_; ++axis)
      index = index * cells_[axis] + cell_of(samples.x.column(axis)[i], axis);
    cell[i] = static_cast<std::uint32_t>(index);
    ++begin_[index + 1];
  }
  for (std::size_t c = 0; c < total; ++c) begin_[c + 1] += begin_[c];
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  place_.resize(n);
  for (std::size_t i = 0; i < n; ++i) place_[i] = next[cell[i]]++;
  const auto spread = [&](const double* from, double* to) {
    for (std::size_t i = 0; i < n; ++i) to[place_[i]] = from[i];
  };
  x_ = Columns(samples.d, n);
  for (std::size_t j = 0; j < samples.d; ++j) spread(samples.x.column(j), x_.column(j));
  others_ = Columns(problem.values.size() + (has_weight_ ? 1 : 0), n);
  for (std::size_t c = 0; c < problem.values.size(); ++c) {
    spread(problem.values[c], others_.column(c));
    values_.push_back(others_.column(c));
  }
  if (has_weight_) spread(problem.weight, others_.column(problem.values.size()));
}

std::size_t CellGrid::cell_of(double x, std::size_t axis) const noexcept {
  const double at = (x - low_[axis]) * inverse_[axis];
  if (!(at > 0)) return 0;
  return at >= static_cast<double>(cells_[axis]) ? cells_[axis] - 1 : static_cast<std::size_t>(at);
}

void CellGrid::reach(const double* q, std::vector<KeyRun>& runs) const {
  runs.clear();
  std::size_t from[4], to[4];
  for (std::size_t axis = 0; axis < axes_; ++axis) {
    // A hair more than the reach, so that rounding loses no key at the border.
    const double reach = radius_ / scale_[axis] * (1 + 1e-12);
    from[axis] = cell_of(q[axis] - reach, axis);
    to[axis] = cell_of(q[axis] + reach, axis);
  }
  // The last axis is contiguous: one run for each cell of the others.
  std::size_t at[4];
  std::copy_n(from, axes_, at);
  for (;;) {
    std::size_t row = 0;
    for (std::size_t axis = 0; axis + 1 < axes_; ++axis) row = row * cells_[axis] + at[axis];
    row *= axes_ > 0 ? cells_[axes_ - 1] : 1;
    const KeyRun run{begin_[row + from[axes_ - 1]], begin_[row + to[axes_ - 1] + 1]};
    if (run.begin < run.end) runs.push_back(run);
    std::size_t axis = axes_ - 1;
    for (;;) {
      if (axis == 0) return;
      --axis;
      if (++at[axis] <= to[axis]) break;
      at[axis] = from[axis];
    }
  }
}

}  // namespace attn
