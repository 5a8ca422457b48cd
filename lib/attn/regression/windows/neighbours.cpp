// The keys nearest to a query: what adapts a bandwidth to it, and what an empty window may yield. Distances are told
// apart wherever the query lies and whatever the unit of x is, though their squares may be no numbers.
#include <attn/regression/windows/weight_rows.hpp>

#include <attn/core/infinity.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

/// Sorted keys from the nearest of q on, walking outwards from it.
class OutwardWalk {
 public:
  OutwardWalk(const double* x, std::size_t n, double q, bool past)
      : x_(x), q_(q), right_(static_cast<std::size_t>(std::upper_bound(x, x + n, q) - x)), end_(past ? right_ : n) {
    left_ = right_;
  }
  bool has_more() const noexcept { return left_ > 0 || right_ < end_; }
  std::size_t next() noexcept {
    // Far from both, distances round to the same number; which side is nearer is no question then.
    const bool take_left = right_ == end_ || (left_ > 0 && q_ - x_[left_ - 1] <= x_[right_] - q_);
    return take_left ? --left_ : right_++;
  }

 private:
  const double* x_;
  double q_;
  std::size_t right_, end_, left_ = 0;
};

/// The distance from q to the k-th nearest of n sorted keys, or the farthest where there are fewer.
double nearest_on_line(const double* x, std::size_t n, double q, std::size_t k) {
  if (n == 0) return infinity;
  k = std::min(k, n);
  std::size_t low = 0, high = n - k;  // of the first of k keys in a row
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (q - x[middle] > x[middle + k] - q)
      low = middle + 1;
    else
      high = middle;
  }
  return std::max(std::abs(x[low] - q), std::abs(x[low + k - 1] - q));
}

}  // namespace

// Scales that put the farthest key at a distance between 1 and 2: squares of distances 1e150 times smaller are still
// representable.
std::vector<double> WeightRows::scale_at(const double* q) const {
  std::vector<double> scale = parameters_.metric.scale;
  const double farthest = samples_.tree->farthest(q, scale.data());
  if (!(farthest > 0) || !std::isfinite(farthest)) return scale;
  const double unit = std::ldexp(1.0, -std::clamp(std::ilogb(farthest), -1000, 1000));
  for (double& s : scale) s *= unit;
  return scale;
}

// The distance from q to its k-th nearest key, or the farthest where there are fewer; infinite without any.
double WeightRows::neighbour_distance(const double* q, std::size_t self, Scratch& scratch) const {
  const std::size_t k = parameters_.metric.neighbours;
  const Eligible eligible{self, parameters_.neighbours, parameters_.causal};
  if (samples_.d == 1 && eligible.weight == nullptr) {
    const double* x = x_[0];
    const std::size_t n = eligible.past ? std::upper_bound(x, x + samples_.n, q[0]) - x : samples_.n;
    const std::size_t own = self < n ? 1 : 0;  // the nearest of all
    return n > own ? nearest_on_line(x, n, q[0], k + own) : infinity;
  }
  if (samples_.d == 1) {
    OutwardWalk walk(x_[0], samples_.n, q[0], eligible.past);
    double distance = infinity;
    for (std::size_t found = 0; found < k && walk.has_more();) {
      const std::size_t i = walk.next();
      if (i == self || (eligible.weight != nullptr && eligible.weight[i] == 0)) continue;
      distance = std::abs(x_[0][i] - q[0]);
      ++found;
    }
    return distance;
  }
  std::vector<double>& nearest = scratch.distances;
  constexpr double finer = 0x1p500, smallest = 0x1p-900;
  for (std::vector<double> scale = scale_at(q);; scale.assign(samples_.d, scale[0] * finer)) {
    samples_.tree->nearest(q, scale.data(), k, eligible, x_, nearest);
    if (nearest.empty()) return infinity;
    // Where all k are so near that their squares vanish, they are measured in a smaller unit.
    if (nearest.back() > smallest || scale[0] > 0x1p1023 / finer) return std::sqrt(nearest.back()) / scale[0];
  }
}

// The reach of an adaptive bandwidth at q. False when there is no other key at all.
bool WeightRows::adapt(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const {
  row.scale = parameters_.metric.scale;
  if (parameters_.metric.neighbours == 0) return true;
  const double distance = neighbour_distance(q, self, scratch);
  if (distance == infinity) return false;
  // All k coincide with q: only coincident points are in reach of so small a bandwidth.
  row.scale.assign(samples_.d, distance > 0 ? 1 / (distance * parameters_.metric.kernel_scale) : infinity);
  return true;
}

// Keys on a line that are nearest to q: all in one place, or in one on either side.
void WeightRows::find_nearest_on_line(double q, std::size_t self, WeightRow& row) const {
  OutwardWalk walk(x_[0], samples_.n, q, parameters_.causal);
  double place[2] = {};
  for (std::size_t places = 0; walk.has_more();) {
    const std::size_t i = walk.next();
    if (i == self || (parameters_.weight != nullptr && parameters_.weight[i] == 0)) continue;
    const double x = x_[0][i];
    const bool is_new = places == 0 || (x != place[0] && (places == 1 || x != place[1]));
    if (places > 0 && std::abs(x - q) > std::abs(place[0] - q)) break;
    // Farther on the same side, though its distance rounds to the same.
    if (is_new && places > 0 && (places == 2 || (x > q) == (place[0] > q))) continue;
    if (is_new) place[places++] = x;
    row.key.push_back(static_cast<std::uint32_t>(i));
  }
  std::sort(row.key.begin(), row.key.end());
}

void WeightRows::find_nearest_in_space(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const {
  const Eligible eligible{self, parameters_.weight, parameters_.causal};
  const std::vector<double> scale = scale_at(q);
  samples_.tree->nearest(q, scale.data(), 1, eligible, x_, scratch.distances);
  if (scratch.distances.empty()) return;
  samples_.tree->reach(q, scale.data(), std::sqrt(scratch.distances[0]), scratch.runs);
  for (const KeyRun run : scratch.runs)
    for (std::uint32_t i = run.begin; i < run.end; ++i)
      if (i != self && !(eligible.past && x_[0][i] > q[0]) && (eligible.weight == nullptr || eligible.weight[i] > 0))
        row.key.push_back(i);
  row.weight.resize(row.key.size());
  measure_from_nearest(q, row);
  std::size_t kept = 0;
  for (std::size_t r = 0; r < row.key.size(); ++r)
    if (row.weight[r] == 0) row.key[kept++] = row.key[r];
  row.key.resize(kept);
}

void WeightRows::find_nearest(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const {
  row.key.clear();
  row.weight.clear();
  row.slope.clear();
  row.falloff = 0;
  row.scale = parameters_.metric.scale;
  if (samples_.d == 1)
    find_nearest_on_line(q[0], self, row);
  else
    find_nearest_in_space(q, self, row, scratch);
  row.weight.clear();
  std::size_t kept = 0;
  for (const std::uint32_t i : row.key) {
    const double weight = factor(q, i);
    if (!(weight > 0)) continue;
    row.key[kept++] = i;
    row.weight.push_back(weight);
  }
  row.key.resize(kept);
}

}  // namespace attn
