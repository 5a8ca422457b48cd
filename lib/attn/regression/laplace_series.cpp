// The Laplace kernel in one dimension is a sum that moves: what the keys on the left of a place weigh, times exp(-step)
// and the keys passed, is what they weigh at the next. Exact; one sweep from each side.
#include <attn/regression/sums.hpp>
#include <attn/regression/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The keys on one side of a moving place: sums relative to the weight of the nearest of them, and how far that one is.
class Side {
 public:
  Side(const SumsProblem& problem, double direction)
      : problem_(problem), x_(problem.samples.x.column(0)), direction_(direction), sums_(problem.columns(), 0.0) {}

  void pass(std::size_t i) {
    if (is_empty_) {
      is_empty_ = false;
    } else {
      const double faded = std::exp(-(x_[i] - nearest_) * direction_ * problem_.scale[0]);
      for (double& sum : sums_) sum *= faded;
    }
    nearest_ = x_[i];
    const double w = problem_.weight != nullptr ? problem_.weight[i] : 1.0;
    sums_[0] += w;
    for (std::size_t c = 1; c < sums_.size(); ++c) sums_[c] += w * problem_.values[c - 1][i];
  }

  double distance(double q) const { return is_empty_ ? infinity : (q - nearest_) * direction_ * problem_.scale[0]; }
  const std::vector<double>& sums() const noexcept { return sums_; }

 private:
  const SumsProblem& problem_;
  const double* x_;
  double direction_, nearest_ = 0;
  bool is_empty_ = true;
  std::vector<double> sums_;
};

}  // namespace

void laplace_series_sums(const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  const Sweep sweep(problem, std::log(static_cast<double>(problem.samples.n + 1)) + 40);
  const std::size_t columns = problem.columns();
  const double* q = problem.points.x().column(0);
  sweep.run(execution, out, [&](const Sweep::Piece& piece) {
    // From the left; the distance of the nearest key waits in `nearest` for the way back.
    std::vector<double> nearest(piece.end - piece.begin);
    Side left(problem, 1);
    std::size_t key = piece.first_key;
    for (std::size_t point = piece.begin; point < piece.end; ++point) {
      for (; key < sweep.left_end(point); ++key) left.pass(key);
      nearest[point - piece.begin] = left.distance(q[point]);
      std::copy(left.sums().begin(), left.sums().end(), out.totals + point * columns);
    }
    Side right(problem, -1);
    key = piece.last_key;
    for (std::size_t point = piece.end; point-- > piece.begin;) {
      for (; key > sweep.right_begin(point); --key) right.pass(key - 1);
      const double from_left = nearest[point - piece.begin], from_right = right.distance(q[point]);
      const double smallest = std::min(from_left, from_right);
      double* row = out.totals + point * columns;
      if (smallest == infinity) {
        std::fill_n(row, columns, 0.0);
        continue;
      }
      const double left_weight = std::exp(smallest - from_left), right_weight = std::exp(smallest - from_right);
      for (std::size_t c = 0; c < columns; ++c) row[c] = left_weight * row[c] + right_weight * right.sums()[c];
      out.set_log_factor(point, -smallest);
    }
  });
}

}  // namespace attn
