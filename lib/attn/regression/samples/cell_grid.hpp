#pragma once
// A grid of cells over the samples.

#include <attn/regression/sums/sums.hpp>

#include <vector>

namespace attn {

/// The samples of a problem in the order of cells, each as wide as a third of the reach (at most as many cells as
/// samples), so that the keys in reach of a query are a few runs of neighbouring cells. The reach of compact kernels is
/// u = 1. The reach of the Gaussian is the u beyond which all n weights together are below the tolerance of the
/// largest: exp(-u^2 / 2) n = tolerance. Cells divide at most four coordinates.
class CellGrid {
 public:
  explicit CellGrid(const SumsProblem& problem);

  /// The runs of cells that reach q.
  void reach(const double* q, std::vector<KeyRun>& runs) const;
  /// Position of prepared row i.
  std::size_t place(std::size_t i) const noexcept { return place_[i]; }

  std::vector<const double*> x() const { return x_.pointers(); }
  const double* weight() const noexcept { return has_weight_ ? others_.column(others_.count() - 1) : nullptr; }
  const std::vector<const double*>& values() const noexcept { return values_; }

 private:
  std::size_t cell_of(double x, std::size_t axis) const noexcept;

  std::size_t axes_;
  double radius_;
  std::vector<double> low_, inverse_, scale_;  // (axes): lowest corner, 1 / width of a cell, 1 / bandwidth
  std::vector<std::size_t> cells_;             // (axes): how many
  std::vector<std::uint32_t> begin_, place_;   // first sample of each cell and one past the last
  Columns x_, others_;
  std::vector<const double*> values_;
  bool has_weight_;
};

}  // namespace attn
