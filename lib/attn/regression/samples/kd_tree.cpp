#include <attn/regression/samples/kd_tree.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

// Points of a leaf: a multiple of every vector width; from 32 to 128 the time changes by less than a tenth (measured).
constexpr std::uint32_t leaf_size = 64;

}  // namespace

KdTree::KdTree(std::vector<double>& x, std::vector<std::uint32_t>& order, std::size_t d) : d_(d) {
  const auto n = static_cast<std::uint32_t>(order.size());
  std::vector<std::pair<const double*, std::uint32_t>> points(n);
  for (std::uint32_t i = 0; i < n; ++i) points[i] = {x.data() + std::size_t{i} * d, order[i]};
  nodes_.reserve(2 * n / leaf_size + 2);
  if (n > 0) build(points, 0, n);
  std::vector<double> arranged(x.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    std::copy_n(points[i].first, d, arranged.data() + std::size_t{i} * d);
    order[i] = points[i].second;
  }
  x.swap(arranged);
}

void KdTree::build(std::vector<std::pair<const double*, std::uint32_t>>& points, std::uint32_t begin,
                   std::uint32_t end) {
  const std::size_t node = nodes_.size();
  nodes_.push_back({begin, end, 0});
  const std::size_t box = boxes_.size();
  boxes_.resize(box + 2 * d_);
  std::size_t widest = 0;
  for (std::size_t j = 0; j < d_; ++j) {
    double low = points[begin].first[j], high = low;
    for (std::uint32_t i = begin + 1; i < end; ++i) {
      low = std::min(low, points[i].first[j]);
      high = std::max(high, points[i].first[j]);
    }
    boxes_[box + j] = low;
    boxes_[box + d_ + j] = high;
    if (high - low > boxes_[box + d_ + widest] - boxes_[box + widest]) widest = j;
  }
  if (end - begin <= leaf_size) return;
  const std::uint32_t middle = begin + (end - begin) / 2;
  // Ties are broken by the place, so that the arrangement is a function of the data alone.
  std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end,
                   [widest](const auto& a, const auto& b) {
                     const double left = a.first[widest], right = b.first[widest];
                     return left != right ? left < right : a.second < b.second;
                   });
  build(points, begin, middle);
  nodes_[node].right = static_cast<std::uint32_t>(nodes_.size());
  build(points, middle, end);
}

double KdTree::distance_to_box(std::size_t node, const double* q, const double* scale) const noexcept {
  const double *low = boxes_.data() + node * 2 * d_, *high = low + d_;
  double total = 0;
  for (std::size_t j = 0; j < d_; ++j) {
    const double outside = std::max(std::max(low[j] - q[j], q[j] - high[j]), 0.0) * scale[j];
    total += outside * outside;
  }
  return total;
}

double KdTree::farthest(const double* q, const double* scale) const noexcept {
  double far = 0;
  for (std::size_t j = 0; !nodes_.empty() && j < d_; ++j)
    far = std::max(far, std::max(std::abs(q[j] - boxes_[j]), std::abs(boxes_[d_ + j] - q[j])) * scale[j]);
  return far;
}

void KdTree::reach(const double* q, const double* scale, double radius, std::vector<KeyRun>& runs) const {
  runs.clear();
  if (nodes_.empty()) return;
  // A hair more than the radius, so that rounding here never loses a point on the closed border of a boxcar.
  const double limit = radius * radius * (1 + 1e-12);
  std::uint32_t pending[64];
  std::size_t depth = 0;
  pending[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t at = pending[--depth];
    if (distance_to_box(at, q, scale) > limit) continue;
    const Node& node = nodes_[at];
    if (node.right != 0) {
      pending[depth++] = node.right;
      pending[depth++] = at + 1;
    } else if (!runs.empty() && runs.back().end == node.begin) {
      runs.back().end = node.end;
    } else {
      runs.push_back({node.begin, node.end});
    }
  }
}

void KdTree::nearest(const double* q, const double* scale, std::size_t k, const Eligible& eligible,
                     const std::vector<const double*>& x, std::vector<double>& distances) const {
  distances.clear();  // a heap with the largest on top while searching
  if (nodes_.empty()) return;
  std::pair<double, std::uint32_t> pending[64];
  std::size_t depth = 0;
  pending[depth++] = {distance_to_box(0, q, scale), 0};
  while (depth > 0) {
    const auto [bound, at] = pending[--depth];
    if (distances.size() == k && bound >= distances.front()) continue;
    if (eligible.past && boxes_[std::size_t{at} * 2 * d_] > q[0]) continue;
    const Node& node = nodes_[at];
    if (node.right != 0) {
      std::pair<double, std::uint32_t> near{distance_to_box(at + 1, q, scale), at + 1};
      std::pair<double, std::uint32_t> far{distance_to_box(node.right, q, scale), node.right};
      if (far.first < near.first) std::swap(near, far);
      pending[depth++] = far;
      pending[depth++] = near;
      continue;
    }
    for (std::size_t i = node.begin; i < node.end; ++i) {
      if (i == eligible.self || (eligible.weight != nullptr && eligible.weight[i] == 0) ||
          (eligible.past && x[0][i] > q[0]))
        continue;
      double total = 0;
      for (std::size_t j = 0; j < d_; ++j) {
        const double step = (x[j][i] - q[j]) * scale[j];
        total += step * step;
      }
      if (distances.size() == k) {
        if (total >= distances.front()) continue;
        std::pop_heap(distances.begin(), distances.end());
        distances.back() = total;
      } else {
        distances.push_back(total);
      }
      std::push_heap(distances.begin(), distances.end());
    }
  }
  std::sort_heap(distances.begin(), distances.end());
}

}  // namespace attn
