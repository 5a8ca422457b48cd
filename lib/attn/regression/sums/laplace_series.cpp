// The Laplace kernel in one dimension is a sum that moves: what the keys on the left of a place weigh, times exp(-step)
// and the keys passed, is what they weigh at the next. Exact; one sweep from each side.
#include <attn/regression/sums/line_queries.hpp>

#include <attn/core/infinity.hpp>
#include <attn/regression/sums/sums.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

// The keys on one side of a moving place: sums relative to the weight of the nearest of them, and how far that one is.
class Side {
 public:
  Side(const SumsProblem& problem, double direction)
      : problem_(&problem), x_(problem.samples.x.column(0)), direction_(direction), sums_(problem.columns(), 0.0) {}

  void pass(std::size_t i) {
    const double w = problem_->weight != nullptr ? problem_->weight[i] : 1.0;
    if (w == 0) return;
    if (is_empty_) {
      is_empty_ = false;
    } else {
      const double faded = std::exp(-(x_[i] - nearest_) * direction_ * problem_->scale[0]);
      for (double& sum : sums_) sum *= faded;
    }
    nearest_ = x_[i];
    sums_[0] += w;
    for (std::size_t c = 1; c < sums_.size(); ++c) sums_[c] += w * problem_->values[c - 1][i];
  }

  /// Adds the contribution of `other`, which follows all keys of this side.
  void continue_from(const Side& other) {
    if (other.is_empty_) return;
    if (is_empty_) {
      *this = other;
      return;
    }
    const double faded = std::exp(-(nearest_ - other.nearest_) * direction_ * problem_->scale[0]);
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c] += faded * other.sums_[c];
  }

  double distance(double q) const { return is_empty_ ? infinity : (q - nearest_) * direction_ * problem_->scale[0]; }
  const std::vector<double>& sums() const noexcept { return sums_; }

 private:
  const SumsProblem* problem_;
  const double* x_;
  double direction_, nearest_ = 0;
  bool is_empty_ = true;
  std::vector<double> sums_;
};

}  // namespace

// Keys are cut into segments whose own sums are found first and linked to the sums of all segments on either side, so
// that threads can take them.
void laplace_series_sums(const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  constexpr std::size_t segment_keys = 16384;
  const LineQueries line(problem, out);
  const std::size_t n = problem.samples.n, columns = problem.columns();
  const std::size_t segments = std::max<std::size_t>(1, (n + segment_keys - 1) / segment_keys);
  const auto first_key = [&](std::size_t segment) { return std::min(n, segment * segment_keys); };
  // Behind each segment, from the left and from the right.
  std::vector<Side> left(segments + 1, Side(problem, 1)), right(segments + 1, Side(problem, -1));
  execution.parallel(segments, [&](std::size_t segment, std::size_t) {
    for (std::size_t i = first_key(segment); i < first_key(segment + 1); ++i) left[segment + 1].pass(i);
    for (std::size_t i = first_key(segment + 1); i-- > first_key(segment);) right[segment].pass(i);
  });
  for (std::size_t segment = 0; segment < segments; ++segment) left[segment + 1].continue_from(left[segment]);
  for (std::size_t segment = segments; segment-- > 0;) right[segment].continue_from(right[segment + 1]);
  const double* q = problem.points.x().column(0);
  execution.parallel(segments, [&](std::size_t segment, std::size_t) {
    const std::size_t begin = segment == 0 ? line.first() : line.up_to(first_key(segment));
    const std::size_t end = segment + 1 == segments ? line.last() : line.up_to(first_key(segment + 1));
    // From the left; the distance of the nearest key waits in `nearest` for the way back.
    std::vector<double> nearest(end - begin);
    Side passed = left[segment];
    std::size_t key = first_key(segment);
    for (std::size_t point = begin; point < end; ++point) {
      for (; key < line.left_end(point); ++key) passed.pass(key);
      nearest[point - begin] = passed.distance(q[point]);
      std::copy(passed.sums().begin(), passed.sums().end(), out.totals + point * columns);
    }
    passed = right[segment + 1];
    key = first_key(segment + 1);
    for (std::size_t point = end; point-- > begin;) {
      for (; key > line.right_begin(point); --key) passed.pass(key - 1);
      const double from_left = nearest[point - begin], from_right = passed.distance(q[point]);
      const double smallest = std::min(from_left, from_right);
      double* row = out.totals + point * columns;
      if (smallest == infinity) {
        std::fill_n(row, columns, 0.0);
        continue;
      }
      const double left_weight = std::exp(smallest - from_left), right_weight = std::exp(smallest - from_right);
      for (std::size_t c = 0; c < columns; ++c) row[c] = left_weight * row[c] + right_weight * passed.sums()[c];
      out.set_log_factor(point, -smallest);
    }
  });
}

}  // namespace attn
