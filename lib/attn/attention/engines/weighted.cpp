#include <attn/attention/engines/weighted.hpp>

#include <attn/attention/engines/fused/engine.hpp>
#include <attn/attention/engines/score_rows.hpp>
#include <attn/attention/score.hpp>
#include <attn/core/scratch.hpp>
#include <attn/simd/attention.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

namespace attn {
namespace {

/// Plain scores from the fused engine's, which are squared distances for a smoothing kernel.
template <class T>
void finish_scores(const ScoreRule& rule, T* score, std::size_t n) {
  if (rule.kind != Score::kernel) return;
  for (std::size_t at = 0; at < n; ++at) score[at] = static_cast<T>(kernel_score(rule, static_cast<double>(score[at])));
}

/// A block of rows of one head, computed in T over all keys and written as Out.
template <class T, class Out = T>
class WeightedRows {
 public:
  static constexpr std::size_t most_rows = 48;

  WeightedRows(const AttentionProblem& problem, const AttentionProblem& scored_problem, Isa isa)
      : problem_(problem),
        scored_(scored_problem),
        isa_(isa),
        kernels_(simd::attention_kernels<T>(isa)),
        width_((problem.sizes.value_width + kernels_.vector_width - 1) / kernels_.vector_width * kernels_.vector_width),
        bias_(keys_at_once) {
    const auto carve = [&](simd::Carver memory) {
      weights_ = memory.take<T>(most_rows * keys_at_once);
      values_ = memory.take<T>(keys_at_once * std::min(width_, columns_at_once));
      out_ = memory.take<T>(most_rows * width_);
      return memory.used();
    };
    carve(simd::Carver(simd::scratch<WeightedRows>(carve(simd::Carver()))));
  }

  /// Queries [first, last) of a head, over all keys; returns the number of queries without keys. Rows that exceed the
  /// range of f32 are noted in outputs.beyond and not written.
  std::size_t attend(std::size_t b, std::size_t h, std::size_t first, std::size_t last,
                     const AttentionOutputs& outputs) {
    b_ = b;
    h_ = h;
    first_ = first;
    rows_ = last - first;
    rule_ = weight_rule(problem_, h);
    totals_.assign(rows_, 0.0);
    counts_.assign(rows_, 0);
    within_.assign(rows_, true);
    best_.assign(rows_, {});
    std::fill_n(out_, rows_ * width_, T(0));
    for (std::size_t key = 0; key < problem_.sizes.keys; key += keys_at_once)
      add_block({key, std::min(key + keys_at_once, problem_.sizes.keys)});
    std::size_t empty_rows = 0;
    for (std::size_t r = 0; r < rows_; ++r) empty_rows += store(r, outputs) ? 1 : 0;
    return empty_rows;
  }

 private:
  static constexpr std::size_t keys_at_once = 512, columns_at_once = 256;

  struct Best {
    std::size_t key = 0;
    T score = 0;
    bool is_reached = false;  ///< some score is not 0
  };

  void add_block(KeyRange keys) {
    const TileKind kind = problem_.mask.classify(b_, h_, first_, first_ + rows_, keys);
    if (kind == TileKind::empty) return;
    T* const weights = weights_;
    const std::size_t count = keys.last - keys.first;
    if (rule_.normalize != Normalize::uniform) {
      fused_engine.score_tile(scored_, {b_, h_, first_, first_ + rows_, keys}, weights, isa_);
      finish_scores(problem_.score, weights, rows_ * count);
    } else {
      std::fill_n(weights, rows_ * count, T(0));
    }
    for (std::size_t r = 0; r < rows_; ++r) {
      T* const row = weights + r * count;
      const T cap = static_cast<T>(problem_.score.softcap);
      if (sizeof(T) < sizeof(double)) mark_beyond(row, count);
      for (std::size_t j = 0; j < count && cap != 0; ++j) row[j] = softcapped(row[j], cap);
      within_[r] = apply_mask(r, keys, kind, row) && within_[r];
      if (rule_.normalize == Normalize::hard)
        find_best(r, keys, row);
      else
        to_weights(r, row, count);
    }
    if (rule_.normalize != Normalize::hard) pool(keys, kind == TileKind::partial);
  }

  /// A score beyond the range of f32 has lost its sign: it becomes NaN, so that it is detected after the softcap.
  static void mark_beyond(T* row, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j)
      if (!std::isfinite(row[j])) row[j] = std::numeric_limits<T>::quiet_NaN();
  }

  /// False if a key that is not excluded has no finite score.
  bool apply_mask(std::size_t r, KeyRange keys, TileKind kind, T* row) {
    constexpr T excluded = -std::numeric_limits<T>::infinity();
    const std::size_t count = keys.last - keys.first;
    bool finite = true;
    if (kind == TileKind::partial) {
      problem_.mask.row(b_, h_, first_ + r, keys, bias_.data());
      for (std::size_t j = 0; j < count; ++j) row[j] = bias_[j] == excluded ? excluded : row[j] + bias_[j];
      for (std::size_t j = 0; j < count; ++j) finite &= bias_[j] == excluded || std::isfinite(row[j]);
    } else {
      for (std::size_t j = 0; j < count; ++j) finite &= std::isfinite(row[j]);
    }
    return finite;
  }

  void find_best(std::size_t r, KeyRange keys, const T* row) {
    for (std::size_t j = 0; j < keys.last - keys.first; ++j) {
      if (row[j] == -std::numeric_limits<T>::infinity()) continue;
      // NaN counts as the best score, so that it stays.
      const bool better =
          counts_[r] == 0 || row[j] > best_[r].score || (std::isnan(row[j]) && !std::isnan(best_[r].score));
      if (better) best_[r] = {keys.first + j, row[j], best_[r].is_reached};
      best_[r].is_reached |= row[j] != 0;
      ++counts_[r];
    }
  }

  void to_weights(std::size_t r, T* row, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      if (row[j] == -std::numeric_limits<T>::infinity()) {
        row[j] = -T(0);  // the pooling kernel's mark of excluded keys
        continue;
      }
      if (rule_.normalize == Normalize::uniform) row[j] = 1;
      if (rule_.exponentiate && rule_.normalize == Normalize::none) row[j] = std::exp(row[j]);
      totals_[r] += row[j];
      ++counts_[r];
    }
  }

  /// out = out + weights values.
  void pool(KeyRange keys, bool excludes) {
    for (std::size_t column = 0; column < width_; column += columns_at_once)
      pool_columns(keys, excludes, column, std::min(columns_at_once, width_ - column));
  }

  void pool_columns(KeyRange keys, bool excludes, std::size_t column, std::size_t columns) {
    const TensorView& value = problem_.value;
    const std::size_t count = keys.last - keys.first;
    const auto offset = static_cast<std::ptrdiff_t>(b_) * value.strides[0] +
                        static_cast<std::ptrdiff_t>(problem_.kv_head(h_)) * value.strides[1] +
                        static_cast<std::ptrdiff_t>(keys.first - problem_.first_key) * value.strides[2] +
                        static_cast<std::ptrdiff_t>(column);
    const simd::Storage storage = simd::storage_of(value.dtype);
    const auto bytes = static_cast<std::ptrdiff_t>(element_size(value.dtype));
    kernels_.pack_values(static_cast<const char*>(value.data) + offset * bytes, storage, value.strides[2], count,
                         std::min(columns, problem_.sizes.value_width - column), values_, columns);
    constexpr T one[] = {1, 1, 1, 1, 1, 1};
    for (std::size_t first = 0, rows; first < rows_; first += rows) {
      const std::size_t left = rows_ - first;
      rows = left >= 6 ? 6 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
      simd::PoolGroup<T> group;
      group.weights = weights_ + first * count;
      group.weights_stride = static_cast<std::ptrdiff_t>(count);
      group.values = values_;
      group.values_stride = static_cast<std::ptrdiff_t>(columns);
      group.rows = rows;
      group.count = count;
      group.columns = columns;
      group.out = out_ + first * width_ + column;
      group.out_stride = static_cast<std::ptrdiff_t>(width_);
      group.keep = group.add = one;
      group.excludes = excludes;
      kernels_.pool(group);
    }
  }

  /// Are scores, weights and pooled values of row r finite?
  bool is_within(std::size_t r) const {
    const T* const pooled = out_ + r * width_;
    return within_[r] && std::all_of(pooled, pooled + problem_.sizes.value_width, [](T x) { return std::isfinite(x); });
  }

  /// Writes row r; true for a row without keys.
  bool store(std::size_t r, const AttentionOutputs& outputs) const {
    const AttentionSizes& n = problem_.sizes;
    const std::size_t i = first_ + r;
    if (outputs.beyond != nullptr && !is_within(r)) {
      outputs.beyond->push_back({b_, h_, i});
      return false;
    }
    Out* const out = static_cast<Out*>(outputs.output) + static_cast<std::ptrdiff_t>(b_) * outputs.strides[0] +
                     static_cast<std::ptrdiff_t>(h_) * outputs.strides[1] +
                     static_cast<std::ptrdiff_t>(i) * outputs.strides[2];
    const bool is_empty = counts_[r] == 0 || (rule_.normalize == Normalize::sum && totals_[r] == 0) ||
                          (rule_.normalize == Normalize::hard && rule_.is_kernel && !best_[r].is_reached);
    if (outputs.lse != nullptr)
      static_cast<Out*>(outputs.lse)[(b_ * n.heads + h_) * n.queries + i] =
          is_empty ? -std::numeric_limits<Out>::infinity() : Out(0);
    if (is_empty) {
      std::fill_n(out, n.value_width,
                  problem_.empty == EmptyRows::nan ? std::numeric_limits<Out>::quiet_NaN() : Out(0));
    } else if (rule_.normalize == Normalize::hard) {
      store_value(best_[r], out);
    } else {
      const double divisor = rule_.normalize == Normalize::none ? 1 : totals_[r];
      const T* const pooled = out_ + r * width_;
      for (std::size_t c = 0; c < n.value_width; ++c) out[c] = static_cast<Out>(pooled[c] / divisor);
    }
    return is_empty;
  }

  void store_value(const Best& best, Out* out) const {
    if (std::isnan(best.score)) {
      std::fill_n(out, problem_.sizes.value_width, std::numeric_limits<Out>::quiet_NaN());
      return;
    }
    const TensorView row = element(element(element(problem_.value, b_), problem_.kv_head(h_)), best.key);
    std::copy_n(cast(row, dtype_of_v<Out>).template contiguous_data<Out>(), problem_.sizes.value_width, out);
  }

  const AttentionProblem& problem_;
  const AttentionProblem& scored_;
  Isa isa_;
  const simd::AttentionKernels<T>& kernels_;
  std::size_t width_;                                          ///< of values, rounded up to vectors
  T *weights_ = nullptr, *values_ = nullptr, *out_ = nullptr;  ///< in the thread's memory
  std::vector<T> bias_;
  std::size_t b_ = 0, h_ = 0, first_ = 0, rows_ = 0;
  WeightRule rule_;
  std::vector<double> totals_;
  std::vector<std::size_t> counts_;  ///< keys that are not excluded
  std::vector<bool> within_;         ///< their scores are finite
  std::vector<Best> best_;
};

/// The problem as the fused engine's score tiles take it: of a smoothing kernel the squared distance.
AttentionProblem scored(const AttentionProblem& problem) {
  AttentionProblem out = problem;
  if (problem.score.kind == Score::kernel) {
    out.score.kind = Score::gaussian;
    out.score.scale = -2;          // the Gaussian's score is -|u|^2 / 2
    out.score.is_distance = true;  // a kernel of finite width is closed
  }
  return out;
}

template <class T>
std::size_t weigh_as(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution,
                     std::vector<QueryRow>& beyond) {
  const AttentionProblem scored_problem = scored(problem);
  const AttentionSizes& n = problem.sizes;
  constexpr std::size_t most_rows = WeightedRows<T>::most_rows;
  const std::size_t per_head = (n.queries + most_rows - 1) / most_rows;
  std::atomic<std::size_t> empty_rows{0};
  std::mutex access;
  execution.parallel_with_progress(n.batch * n.heads * per_head, [&](std::size_t task, std::size_t) {
    const std::size_t bh = task / per_head, first = task % per_head * most_rows;
    std::vector<QueryRow> left;
    AttentionOutputs places = outputs;
    if (sizeof(T) < sizeof(double)) places.beyond = &left;
    WeightedRows<T> rows(problem, scored_problem, execution.isa);
    empty_rows += rows.attend(bh / n.heads, bh % n.heads, first, std::min(first + most_rows, n.queries), places);
    const std::lock_guard lock(access);
    beyond.insert(beyond.end(), left.begin(), left.end());
  });
  return empty_rows;
}

/// Rows of f32 that went beyond its range, in f64.
std::size_t weigh_again_in_f64(const AttentionProblem& problem, const std::vector<QueryRow>& beyond,
                               const AttentionOutputs& outputs, const Execution& execution) {
  const AttentionProblem wide = widened(problem), scored_problem = scored(wide);
  std::atomic<std::size_t> empty_rows{0};
  execution.parallel(beyond.size(), [&](std::size_t task, std::size_t) {
    const auto [b, h, i] = beyond[task];
    WeightedRows<double, float> row(wide, scored_problem, execution.isa);
    empty_rows += row.attend(b, h, i, i + 1, outputs);
  });
  return empty_rows;
}

std::size_t attend_weighted(const AttentionProblem& problem, const AttentionOutputs& outputs,
                            const Execution& execution) {
  std::vector<QueryRow> beyond;
  if (problem.compute == DType::f64) return weigh_as<double>(problem, outputs, execution, beyond);
  const std::size_t empty_rows = weigh_as<float>(problem, outputs, execution, beyond);
  return beyond.empty() ? empty_rows : empty_rows + weigh_again_in_f64(problem, beyond, outputs, execution);
}

void score_tile_weighted(const AttentionProblem& problem, const ScoreTile& tile, void* out, Isa isa) {
  const std::size_t count = (tile.last_query - tile.first_query) * (tile.keys.last - tile.keys.first);
  fused_engine.score_tile(scored(problem), tile, out, isa);
  if (problem.compute == DType::f64)
    finish_scores(problem.score, static_cast<double*>(out), count);
  else
    finish_scores(problem.score, static_cast<float*>(out), count);
}

}  // namespace

const AttentionEngine weighted_engine{0, attend_weighted, nullptr, nullptr, nullptr, score_tile_weighted};

}  // namespace attn
