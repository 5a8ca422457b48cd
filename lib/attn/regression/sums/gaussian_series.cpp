// The Gaussian in one dimension as a sum of exponentials (formulas and source in simd/gaussian_series.hpp). The sum
// over the keys on one side of a position is then a state of 20 complex numbers, or 24 for moments, which decays and
// rotates on the way to the next position. Sorted keys are cut into blocks of 16:
//
//     sums(q) = what arrives from the blocks on the left + pairs inside the query's block + from the blocks on the
//     right
//
// Blocks form segments; the state of a whole segment is summed first for all segments, so that threads can take them.
#include <attn/core/constants.hpp>
#include <attn/regression/sums/moments.hpp>
#include <attn/regression/sums/sums.hpp>
#include <attn/simd/gaussian_series.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {
namespace {

// The queries at which a Gaussian as a sum of exponentials keeps its digits.

/// As a sum of exponentials (simd/gaussian_series.hpp), sum_i v_i exp(-u_i^2 / 2) has an error of at most about
///
///     2e-13 sum_i |v_i| exp(-3 u_i)  +  1e-18 sum_{u_i < 25} |v_i|
///
/// from the rounding of terms that decay as exp(-3 u), and from the error of the series. exp(-3 u) is below exp(-u^2 /
/// 2) up to u = 6 and below 2e-8 beyond. Where
///
///     sum_i |v_i| exp(-3 u_i)  >=  1e-5 sum_{u_i < 25} |v_i|
///
/// the error is therefore below 1e-12 sum_i |v_i| exp(-u_i^2 / 2). This finds lower bounds of the left side and upper
/// bounds of the right one for all queries of a block at once, and for single queries where that is not enough.
///
/// Columns of values with a harmless spread (see spread_of) are skipped: the error stays below 1e-17 of the largest
/// value.
class SeriesTrust {
 public:
  static constexpr std::size_t block_keys = 16;
  SeriesTrust(const SumsProblem& problem, const Execution& execution);
  /// Do the sums at q keep their digits? Block: the first whose last key is not left of q, or the last one.
  bool holds(double q, std::size_t self, std::size_t block) const;

 private:
  struct Column {
    const double* values = nullptr;  // null: the weights
    // For each block: lower bounds of the weight of the keys before it at the last of them, and of the keys after it at
    // their first; an upper bound of sum |v_i| in reach of any query of the block.
    std::vector<double> left, right, reach;
  };
  std::size_t first_key(std::size_t block) const { return std::min(n_, block * block_keys); }
  double start(std::size_t block) const { return x_[first_key(block)]; }
  double end(std::size_t block) const { return x_[first_key(block + 1) - 1]; }
  double magnitude(const Column& column, std::size_t i) const;
  double faded(double distance) const;
  std::vector<double> bound(Column& column, const Execution& execution) const;
  void bound_reach(Column& column, const std::vector<double>& mass) const;
  bool holds(const Column& column, double q, std::size_t self, std::size_t block) const;

  const SumsProblem& problem_;
  const double* x_;
  std::size_t n_, blocks_;
  double scale_;
  std::vector<Column> columns_;
  std::vector<bool> whole_;  // blocks that hold for all their queries
};

constexpr double smallest_share = 1e-5;
constexpr double farthest = 25;  // every term has decayed below 1e-30

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

constexpr std::size_t block_keys = SeriesTrust::block_keys;
constexpr std::size_t segment_blocks = 512;

/// Two columns at a time: of the weights and of the values.
class Series {
 public:
  Series(const SumsProblem& problem, std::size_t column, const Execution& execution)
      : problem_(problem),
        kernels_(problem.degree == 0 ? simd::series_kernels(execution.isa) : simd::moment_kernels(execution.isa)),
        column_(column),
        moments_(problem.order(column) + 1),
        state_size_(kernels_.state),
        x_(problem.samples.x.column(0)),
        n_(problem.samples.n),
        scale_(problem.scale[0]),
        blocks_((n_ + block_keys - 1) / block_keys),
        segments_((blocks_ + segment_blocks - 1) / segment_blocks) {}

  void run(const Execution& execution, std::size_t first, std::size_t last, double* totals) {
    from_left_.assign((segments_ + 1) * state_size_, 0.0);
    from_right_.assign((segments_ + 1) * state_size_, 0.0);
    execution.parallel(segments_, [&](std::size_t segment, std::size_t) { sum_segment(segment); });
    link_segments();
    find_borders(first, last);
    execution.parallel_with_progress(segments_,
                                     [&](std::size_t segment, std::size_t) { evaluate_segment(segment, totals); });
  }

 private:
  std::size_t first_block(std::size_t segment) const { return segment * segment_blocks; }
  std::size_t last_block(std::size_t segment) const { return std::min(blocks_, (segment + 1) * segment_blocks); }
  std::size_t first_key(std::size_t block) const { return std::min(n_, block * block_keys); }
  double start(std::size_t block) const { return x_[first_key(block)]; }
  double end(std::size_t block) const { return x_[first_key(block + 1) - 1]; }

  // The keys of a block with its two columns, weights multiplied in.
  simd::SeriesBlock load(std::size_t block, double (&values)[2][block_keys]) const {
    const std::size_t from = first_key(block), count = first_key(block + 1) - from;
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t i = 0; i < count; ++i) {
        const double w = problem_.weight != nullptr ? problem_.weight[from + i] : 1.0;
        const std::size_t column = column_ + c;
        values[c][i] = column == 0 ? w : column < problem_.columns() ? w * problem_.values[column - 1][from + i] : 0;
      }
    return {x_ + from, {values[0], values[1]}, count};
  }

  void add(double* to, const double* from) const {
    for (std::size_t i = 0; i < state_size_; ++i) to[i] += from[i];
  }

  // The contributions of a segment at its last key and at its first.
  void sum_segment(std::size_t segment) {
    double values[2][block_keys];
    std::vector<double> state(state_size_);
    double* rightwards = from_left_.data() + (segment + 1) * state_size_;
    double* leftwards = from_right_.data() + segment * state_size_;
    for (std::size_t block = first_block(segment); block < last_block(segment); ++block) {
      if (block > first_block(segment)) kernels_.travel((end(block) - end(block - 1)) * scale_, rightwards);
      kernels_.gather(load(block, values), end(block), scale_, state.data());
      add(rightwards, state.data());
    }
    for (std::size_t block = last_block(segment); block-- > first_block(segment);) {
      if (block + 1 < last_block(segment)) kernels_.travel((start(block + 1) - start(block)) * scale_, leftwards);
      kernels_.gather(load(block, values), start(block), scale_, state.data());
      add(leftwards, state.data());
    }
  }

  // From the sums of single segments to the sums of all segments before and after.
  void link_segments() {
    for (std::size_t segment = 1; segment < segments_; ++segment) {
      std::vector<double> state(from_left_.begin() + static_cast<std::ptrdiff_t>(segment * state_size_),
                                from_left_.begin() + static_cast<std::ptrdiff_t>((segment + 1) * state_size_));
      kernels_.travel((end(last_block(segment) - 1) - end(last_block(segment - 1) - 1)) * scale_, state.data());
      add(from_left_.data() + (segment + 1) * state_size_, state.data());
    }
    for (std::size_t segment = segments_; segment-- > 0;) {
      if (segment + 1 == segments_) continue;
      std::vector<double> state(from_right_.begin() + static_cast<std::ptrdiff_t>((segment + 1) * state_size_),
                                from_right_.begin() + static_cast<std::ptrdiff_t>((segment + 2) * state_size_));
      kernels_.travel((start(first_block(segment + 1)) - start(first_block(segment))) * scale_, state.data());
      add(from_right_.data() + segment * state_size_, state.data());
    }
  }

  // The queries of a block are those right of the block before, up to its own end; the last block has the rest too.
  void find_borders(std::size_t first, std::size_t last) {
    first_ = first;
    last_ = last;
    if (problem_.points.samples != nullptr) return;
    const double* q = problem_.points.x().column(0);
    within_.resize(blocks_);
    std::size_t at = first;
    for (std::size_t block = 0; block < blocks_; ++block) {
      while (at < last && q[at] <= end(block)) ++at;
      within_[block] = static_cast<std::uint32_t>(at);
    }
    if (blocks_ > 0) within_[blocks_ - 1] = static_cast<std::uint32_t>(last);
  }
  std::size_t within(std::size_t block) const {
    return problem_.points.samples != nullptr ? first_key(block + 1) : within_[block];
  }

  void evaluate_segment(std::size_t segment, double* totals) {
    const std::size_t begin = first_block(segment), stop = last_block(segment);
    double values[2][block_keys];
    std::vector<double> state(state_size_);
    // The states at the blocks' starts from the right, made backwards first.
    std::vector<double> right((stop - begin + 1) * state_size_, 0.0);
    if (stop < blocks_)
      std::copy_n(from_right_.data() + (segment + 1) * state_size_, state_size_, right.end() - state_size_);
    for (std::size_t block = stop; block-- > begin;) {
      double* here = right.data() + (block - begin) * state_size_;
      std::copy_n(here + state_size_, state_size_, here);
      if (block + 1 < blocks_) kernels_.travel((start(block + 1) - start(block)) * scale_, here);
      kernels_.gather(load(block, values), start(block), scale_, state.data());
      add(here, state.data());
    }
    std::vector<double> left(from_left_.begin() + static_cast<std::ptrdiff_t>(segment * state_size_),
                             from_left_.begin() + static_cast<std::ptrdiff_t>((segment + 1) * state_size_));
    for (std::size_t block = begin; block < stop; ++block) {
      const simd::SeriesBlock keys = load(block, values);
      const std::size_t first = block == 0 ? first_ : within(block - 1), last = within(block);
      if (block > 0) arrive(first, last, end(block - 1), -1, left.data(), totals);
      inside(first, last, keys, totals);
      if (block + 1 < blocks_)
        arrive(first, last, start(block + 1), 1, right.data() + (block + 1 - begin) * state_size_, totals);
      if (block > 0) kernels_.travel((end(block) - end(block - 1)) * scale_, left.data());
      kernels_.gather(keys, end(block), scale_, state.data());
      add(left.data(), state.data());
    }
  }

  void arrive(std::size_t begin, std::size_t stop, double from, double sign, const double* state, double* totals) {
    if (begin >= stop) return;
    sum_into(begin, stop, totals, [&](double* sums) {
      kernels_.arrive(problem_.points.x().column(0) + begin, stop - begin, from, scale_, sign, state, moments_, sums);
    });
  }
  void inside(std::size_t begin, std::size_t stop, const simd::SeriesBlock& keys, double* totals) {
    if (begin >= stop) return;
    const std::size_t own = 0;
    sum_into(begin, stop, totals, [&](double* sums) {
      kernels_.inside(keys, problem_.points.x().column(0) + begin, stop - begin,
                      problem_.leave_one_out ? &own : nullptr, scale_, moments_, sums);
    });
  }

  // The kernels add two columns side by side, with equally many moments; the totals may have more, or fewer.
  template <class Add>
  void sum_into(std::size_t begin, std::size_t stop, double* totals, Add add_pairs) {
    const std::size_t length = problem_.length(), stride = 2 * moments_;
    if (problem_.degree == 0 && length == stride) return add_pairs(totals + begin * length);
    std::vector<double> pairs((stop - begin) * stride, 0.0);
    add_pairs(pairs.data());
    for (std::size_t c = column_; c < std::min(column_ + 2, problem_.columns()); ++c) {
      const std::size_t offset = problem_.offset(c), from = (c - column_) * moments_;
      for (std::size_t point = begin; point < stop; ++point)
        for (std::size_t r = 0; r <= problem_.order(c); ++r)
          totals[point * length + offset + r] += pairs[(point - begin) * stride + from + r];
    }
  }

  const SumsProblem& problem_;
  const simd::SeriesKernels& kernels_;
  std::size_t column_, moments_, state_size_;
  const double* x_;
  std::size_t n_;
  double scale_;
  std::size_t blocks_, segments_, first_ = 0, last_ = 0;
  std::vector<double> from_left_, from_right_;
  std::vector<std::uint32_t> within_;
};

}  // namespace

void gaussian_series_sums(const SumsProblem& problem, const Execution& execution, SumsOutput out) {
  const double* q = problem.points.x().column(0);
  const std::size_t m = problem.points.count(), length = problem.length();
  std::size_t first = 0, last = m;
  while (first < last && !std::isfinite(q[first])) ++first;
  while (first < last && !std::isfinite(q[last - 1])) --last;
  Columns moments(1, problem.degree > 0 ? m * length : 0);
  double* totals = problem.degree > 0 ? moments.column(0) : out.totals;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill(totals, totals + m * length, 0.0);
  std::fill(totals, totals + first * length, nan);
  std::fill(totals + last * length, totals + m * length, nan);
  if (problem.samples.n == 0) return;
  for (std::size_t column = 0; column < problem.columns(); column += 2)
    Series(problem, column, execution).run(execution, first, last, totals);
  const SeriesTrust trust(problem, execution);
  const double* x = problem.samples.x.column(0);
  const std::size_t n = problem.samples.n;
  const double rounding = (problem.degree == 1 ? 250 : 1000) * std::numeric_limits<double>::epsilon() / 2;
  constexpr std::size_t part = 4096;
  execution.parallel((last - first + part - 1) / part, [&](std::size_t task, std::size_t) {
    ExactSums exact(problem);
    MomentParts parts(problem);
    const std::size_t begin = first + task * part, stop = std::min(last, begin + part);
    std::size_t key = static_cast<std::size_t>(std::lower_bound(x, x + n, q[begin]) - x);
    for (std::size_t point = begin; point < stop; ++point) {
      while (key < n && x[key] < q[point]) ++key;
      double* row = totals + point * length;
      const std::size_t near = problem.points.samples != nullptr ? point : std::min(key, n - 1);
      const bool holds = trust.holds(q[point], problem.self(point), near / block_keys);
      if (problem.degree == 0) {
        if (!holds) out.set_log_factor(point, exact.find(q + point, problem.self(point), row));
      } else if (holds) {
        parts.clear();
        std::copy_n(row, length, parts.add(q[point]));
        parts.take(point, rounding, *out.moments);
      }
    }
  });
}

}  // namespace attn
