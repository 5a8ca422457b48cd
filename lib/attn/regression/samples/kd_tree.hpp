#pragma once
// A k-d tree over the samples, which finds those in reach of a query and the nearest ones.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace attn {

/// Consecutive samples [begin, end) in prepared order.
struct KeyRun {
  std::uint32_t begin, end;
};

/// The points that a search may find.
struct Eligible {
  std::size_t self = std::numeric_limits<std::size_t>::max();  ///< not this point
  const double* weight = nullptr;                              ///< only points with a weight above zero; null: all
  bool past = false;                                           ///< only points not after q in the first coordinate
};

/// Distances are measured after scaling each coordinate, |diag(scale) (q - x)|, so that one tree serves all bandwidths.
class KdTree {
 public:
  /// Reorders the points x (n rows of d numbers) and their indices `order` so that each node is a run, and builds the
  /// nodes. Splits the widest side at the median. O(n log n); equal points and n = 0 are fine.
  KdTree(std::vector<double>& x, std::vector<std::uint32_t>& order, std::size_t d);

  /// The runs, ascending and merged, of leaves within `radius` of q, which contain all points within it.
  void reach(const double* q, const double* scale, double radius, std::vector<KeyRun>& runs) const;

  /// The k smallest squared scaled distances from q, ascending, among the eligible points; fewer if there are fewer.
  /// `x` are the columns of coordinates: x[j][i].
  void nearest(const double* q, const double* scale, std::size_t k, const Eligible& eligible,
               const std::vector<const double*>& x, std::vector<double>& distances) const;

  /// The largest scaled distance, along any one coordinate, from q to the corners of the box around all points.
  double farthest(const double* q, const double* scale) const noexcept;

  static constexpr std::size_t no_self = std::numeric_limits<std::size_t>::max();

 private:
  struct Node {
    std::uint32_t begin, end;
    std::uint32_t right;  // index of the second child, the first follows its parent; 0: a leaf
  };
  double distance_to_box(std::size_t node, const double* q, const double* scale) const noexcept;
  void build(std::vector<std::pair<const double*, std::uint32_t>>& points, std::uint32_t begin, std::uint32_t end);

  std::size_t d_;
  std::vector<Node> nodes_;
  std::vector<double> boxes_;  // (nodes, 2, d): lowest and highest corner
};

}  // namespace attn
