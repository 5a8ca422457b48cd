// The Laplace kernel in one dimension is a sum that moves: what the keys on the left of a place weigh, times exp(-step)
// and the keys passed, is what they weigh at the next. Exact; one sweep from each side. Moments of distances are sums
// of positive terms too, and shift by binomials.
#include <attn/core/constants.hpp>
#include <attn/regression/sums/moments.hpp>
#include <attn/regression/sums/sums.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {
namespace {

/// The finite queries, sorted, and their positions among the sorted keys.
class LineQueries {
 public:
  /// Fills the rows of queries that are not finite with NaN.
  LineQueries(const SumsProblem& problem, SumsOutput out);

  std::size_t first() const noexcept { return first_; }  ///< of the finite queries,
  std::size_t last() const noexcept { return last_; }    ///< and one past the last

  /// Keys [0, left_end) are at or left of the query, keys from right_begin on are right of it. A query that is a sample
  /// belongs to the left, or with leave-one-out to neither.
  std::size_t left_end(std::size_t point) const noexcept {
    return border_.empty() ? point + (problem_.leave_one_out ? 0 : 1) : border_[point];
  }
  std::size_t right_begin(std::size_t point) const noexcept { return border_.empty() ? point + 1 : border_[point]; }

  /// The first query at or right of `key`: for earlier queries, no key from `key` on is on the left.
  std::size_t up_to(std::size_t key) const noexcept;

 private:
  const SumsProblem& problem_;
  std::size_t first_ = 0, last_;
  std::vector<std::uint32_t> border_;  // first key right of each query; empty at the samples
};

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

// The keys on one side of a moving place: sums relative to the weight of the nearest of them, and how far that one is.
// Moments are those of the scaled distances from the nearest.
class Side {
 public:
  Side(const SumsProblem& problem, double direction)
      : problem_(&problem), x_(problem.samples.x.column(0)), direction_(direction), sums_(problem.length(), 0.0) {}

  void pass(std::size_t i) {
    const double w = problem_->weight != nullptr ? problem_->weight[i] : 1.0;
    if (w == 0) return;
    if (is_empty_) {
      is_empty_ = false;
    } else {
      fade((x_[i] - nearest_) * direction_ * problem_->scale[0], sums_);
    }
    nearest_ = x_[i];
    std::size_t at = 0;
    for (std::size_t c = 0; c < problem_->columns(); at += problem_->order(c) + 1, ++c)
      sums_[at] += c == 0 ? w : w * problem_->values[c - 1][i];
  }

  /// Adds the contribution of `other`, which follows all keys of this side.
  void continue_from(const Side& other) {
    if (other.is_empty_) return;
    if (is_empty_) {
      *this = other;
      return;
    }
    std::vector<double> faded = other.sums_;
    fade((nearest_ - other.nearest_) * direction_ * problem_->scale[0], faded);
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c] += faded[c];
  }

  double distance(double q) const { return is_empty_ ? infinity : (q - nearest_) * direction_ * problem_->scale[0]; }
  double nearest() const noexcept { return nearest_; }
  const std::vector<double>& sums() const noexcept { return sums_; }

 private:
  // Sums about a place become those about one that is `step` ahead.
  void fade(double step, std::vector<double>& sums) const {
    const double factor = std::exp(-step);
    for (double& sum : sums) sum *= factor;
    if (problem_->degree == 0 || factor == 0) return;
    double* at = sums.data();
    for (std::size_t c = 0; c < problem_->columns(); at += problem_->order(c) + 1, ++c)
      shift_moments(at, problem_->order(c), step);
  }

  const SumsProblem* problem_;
  const double* x_;
  double direction_, nearest_ = 0;
  bool is_empty_ = true;
  std::vector<double> sums_;
};

// Moments of distances, on the left (direction -1) or on the right.
void add_part(const SumsProblem& problem, const double* sums, double nearest, double weight, double direction,
              MomentParts& parts) {
  Extended* out = parts.add(nearest);
  for (std::size_t c = 0; c < problem.columns(); ++c) {
    Extended sign = weight;
    for (std::size_t r = 0; r <= problem.order(c); ++r, sign *= direction) *out++ = sign * *sums++;
  }
}

}  // namespace

// Keys are cut into segments whose own sums are found first and linked to the sums of all segments on either side, so
// that threads can take them.
void laplace_series_sums(const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  constexpr std::size_t segment_keys = 16384;
  const LineQueries line(problem, out);
  const std::size_t n = problem.samples.n, length = problem.length();
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
  execution.parallel_with_progress(segments, [&](std::size_t segment, std::size_t) {
    const std::size_t begin = segment == 0 ? line.first() : line.up_to(first_key(segment));
    const std::size_t end = segment + 1 == segments ? line.last() : line.up_to(first_key(segment + 1));
    // From the left; the sums, and the nearest key and its distance, wait for the way back.
    std::vector<double> distance(end - begin), nearest(end - begin), waiting;
    double* from_left = problem.degree == 0 ? out.totals + begin * length : nullptr;
    if (problem.degree > 0) {
      waiting.resize((end - begin) * length);
      from_left = waiting.data();
    }
    MomentParts parts(problem);
    Side passed = left[segment];
    std::size_t key = first_key(segment);
    for (std::size_t point = begin; point < end; ++point) {
      for (; key < line.left_end(point); ++key) passed.pass(key);
      distance[point - begin] = passed.distance(q[point]);
      nearest[point - begin] = passed.nearest();
      std::copy(passed.sums().begin(), passed.sums().end(), from_left + (point - begin) * length);
    }
    passed = right[segment + 1];
    key = first_key(segment + 1);
    for (std::size_t point = end; point-- > begin;) {
      for (; key > line.right_begin(point); --key) passed.pass(key - 1);
      const double on_left = distance[point - begin];
      const double on_right = passed.distance(q[point]);
      const double smallest = std::min(on_left, on_right);
      double* row = from_left + (point - begin) * length;
      const double left_weight = std::exp(smallest - on_left), right_weight = std::exp(smallest - on_right);
      if (problem.degree > 0) {
        if (smallest == infinity) continue;
        parts.clear();
        if (left_weight > 0) add_part(problem, row, nearest[point - begin], left_weight, -1, parts);
        if (right_weight > 0) add_part(problem, passed.sums().data(), passed.nearest(), right_weight, 1, parts);
        parts.take(point, 16 * std::numeric_limits<double>::epsilon(), *out.moments, -smallest);
        continue;
      }
      if (smallest == infinity) {
        std::fill_n(row, length, 0.0);
        continue;
      }
      for (std::size_t c = 0; c < length; ++c) row[c] = left_weight * row[c] + right_weight * passed.sums()[c];
      out.set_log_factor(point, -smallest);
    }
  });
}

}  // namespace attn
