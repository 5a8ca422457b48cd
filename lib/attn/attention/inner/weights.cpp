#include <attn/attention/inner/weights.hpp>

#include <attn/attention/inner/best_keys.hpp>
#include <attn/attention/inner/row_states.hpp>
#include <attn/attention/inner/scores.hpp>
#include <attn/attention/problem.hpp>
#include <attn/core/constants.hpp>
#include <attn/simd/attention.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {
namespace {

template <class T>
bool attended(T score) noexcept {
  return score != -std::numeric_limits<T>::infinity();
}

template <class T>
RowSummary softmax(const WeightRule& rule, T* row, std::size_t n) {
  double top = rule.sink.value_or(-infinity);
  for (std::size_t j = 0; j < n; ++j) top = std::max(top, static_cast<double>(row[j]));
  double total = rule.sink ? std::exp(*rule.sink - top) : 0;
  for (std::size_t j = 0; j < n; ++j) {
    row[j] = attended(row[j]) ? std::exp(static_cast<T>(row[j] - top)) : T(0);
    total += row[j];
  }
  for (std::size_t j = 0; j < n; ++j) row[j] = static_cast<T>(row[j] / total);
  return {top + std::log(total), false};
}

template <class T>
RowSummary linear(const WeightRule& rule, T* row, std::size_t n) {
  double total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (!attended(row[j]))
      row[j] = 0;
    else if (rule.exponentiate)
      row[j] = std::exp(row[j]);
    total += row[j];
  }
  if (rule.normalize == Normalize::none) return {0, false};
  if (total == 0) {
    std::fill(row, row + n, T(0));
    return {-infinity, true};
  }
  for (std::size_t j = 0; j < n; ++j) row[j] = static_cast<T>(row[j] / total);
  return {0, false};
}

template <class T>
RowSummary best(const WeightRule& rule, T* row, std::size_t n) {
  const std::size_t top = *best_key(row, n);
  const T score = row[top];
  std::fill(row, row + n, std::isnan(score) ? std::numeric_limits<T>::quiet_NaN() : T(0));
  if (rule.is_kernel && score == 0) return {-infinity, true};
  if (!std::isnan(score)) row[top] = T(1);
  return {0, false};
}

/// Scores to weights, as scores_to_weights() under softmax, with softcap, bias, masks and sinks of the problem.
template <class T>
class RowSoftmax {
 public:
  enum class Outcome {
    weights,
    empty,  ///< no key takes part: all weights are 0
    beyond  ///< numbers went beyond the range of f32: f64 has to do the row
  };

  RowSoftmax(const AttentionProblem& problem, Isa isa);

  /// score_j (S): plain scores of that query, weights afterwards.
  Outcome operator()(const QueryRow& at, T* score_j);

 private:
  const AttentionProblem& problem_;
  const simd::AttentionKernels<T>& kernels_;
  std::vector<T> row_, bias_;  ///< (S, filled up to vectors)
};

template <class T>
RowSoftmax<T>::RowSoftmax(const AttentionProblem& problem, Isa isa)
    : problem_(problem), kernels_(simd::attention_kernels<T>(isa)) {
  const std::size_t width = kernels_.panel_width, columns = (problem.sizes.keys + width - 1) / width * width;
  row_.resize(columns);
  if (!problem.mask.is_ranges_only()) bias_.resize(columns);
}

template <class T>
typename RowSoftmax<T>::Outcome RowSoftmax<T>::operator()(const QueryRow& at, T* score_j) {
  const std::size_t S = problem_.sizes.keys;
  const KeyRange keys = problem_.mask.keys(at.b, at.h, at.i);
  const T* bias = nullptr;
  if (!bias_.empty() && problem_.mask.classify(at.b, at.h, at.i, at.i + 1, {0, S}) != TileKind::full) {
    problem_.mask.row(at.b, at.h, at.i, {0, S}, bias_.data());
    bias = bias_.data();
  }
  std::copy_n(score_j, S, row_.begin());
  T maximum = static_cast<T>(-infinity), total = 0, keep = 0, add = 0;
  simd::WeightRows<T> weights;
  weights.scores = row_.data();
  weights.rows = 1;
  weights.columns = row_.size();
  weights.first = &keys.first;
  weights.last = &keys.last;
  if (bias != nullptr) weights.bias = &bias;
  weights.are_shown = true;
  weights.softcap = static_cast<T>(problem_.score.softcap);
  weights.maximum = &maximum;
  weights.total = &total;
  weights.keep = &keep;
  weights.add = &add;
  kernels_.weights(weights);
  if constexpr (std::is_same_v<T, float>)
    if (scores_are_beyond(problem_, at, {0, S}, maximum, total)) return Outcome::beyond;
  const RowTotal row(problem_, at.h, maximum, total);
  if (row.is_empty()) {
    std::fill_n(score_j, S, T(0));
    return Outcome::empty;
  }
  kernels_.scale(row_.data(), S, static_cast<T>(row.factor()), score_j);
  return Outcome::weights;
}

/// Plain scores in f64 of queries of one head, their keys widened a block at a time.
void compute_scores(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa, const QueryRow& at,
                    std::size_t last, double* out) {
  constexpr std::size_t block_keys = 512;
  const std::size_t S = problem.sizes.keys, rows = last - at.i;
  AttentionProblem part;
  part.dtype = part.compute = DType::f64;
  part.score = problem.score;
  part.sizes = problem.sizes;
  part.sizes.batch = part.sizes.heads = part.sizes.kv_heads = 1;
  part.sizes.queries = rows;
  part.mask = Mask(part.sizes);
  part.query = widened_rows(problem.query, at.b, at.h, at.i, last);
  std::vector<double> block(rows * std::min(block_keys, S));
  for (std::size_t key = 0; key < S; key += block_keys) {
    const std::size_t end = std::min(key + block_keys, S), count = end - key;
    part.first_key = key;
    part.key = widened_rows(problem.key, at.b, problem.kv_head(at.h), key, end);
    engine.score_tile(part, {0, 0, 0, rows, {key, end}}, block.data(), isa);
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(block.data() + r * count, count, out + r * S + key);
  }
}

void compute_scores(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa, const QueryRow& at,
                    std::size_t last, float* out) {
  engine.score_tile(problem, {at.b, at.h, at.i, last, {0, problem.sizes.keys}}, out, isa);
}

/// Applies softcap, bias and masks to the scores of one query up to the stage, in place; bias_j is working memory.
/// Returns false if a key that is not excluded has no finite score: a number beyond the range of T has lost its sign,
/// and is NaN after the softcap too.
template <class T>
bool to_stage(const AttentionProblem& problem, Stage stage, const QueryRow& at, T* score_j, T* bias_j) {
  constexpr T excluded = -std::numeric_limits<T>::infinity();
  const std::size_t S = problem.sizes.keys;
  const T cap = static_cast<T>(problem.score.softcap);
  bool finite = true;
  if (sizeof(T) < sizeof(double))
    for (std::size_t j = 0; j < S; ++j)
      if (!std::isfinite(score_j[j])) {
        score_j[j] = std::numeric_limits<T>::quiet_NaN();
        finite = false;
      }
  if (stage == Stage::scores) return finite;
  for (std::size_t j = 0; j < S; ++j) score_j[j] = softcapped(score_j[j], cap);
  if (stage == Stage::scores_softcap) return finite;
  problem.mask.row(at.b, at.h, at.i, {0, S}, bias_j);
  finite = true;
  for (std::size_t j = 0; j < S; ++j) {
    score_j[j] = bias_j[j] == excluded ? excluded : score_j[j] + bias_j[j];
    finite &= bias_j[j] == excluded || std::isfinite(score_j[j]);
  }
  return finite;
}

/// The rows of (B, H, L) in order, cut into blocks of a few rows of one head.
struct RowBlocks {
  const AttentionSizes& n;
  std::size_t rows, per_head;

  RowBlocks(const AttentionSizes& sizes, std::size_t element_bytes) : n(sizes) {
    constexpr std::size_t block_bytes = std::size_t{1} << 19;
    rows = std::clamp<std::size_t>(block_bytes / (std::max<std::size_t>(n.keys, 1) * element_bytes), 1, 64);
    per_head = (n.queries + rows - 1) / rows;
  }
  std::size_t count() const noexcept { return n.batch * n.heads * per_head; }
  struct Block {
    std::size_t b, h, first, last;
    std::size_t first_row;  ///< in (B, H, L)
  };
  Block operator[](std::size_t at) const noexcept {
    const std::size_t bh = at / per_head, first = at % per_head * rows;
    return {bh / n.heads, bh % n.heads, first, std::min(first + rows, n.queries), bh * n.queries + first};
  }
};

/// Rows at a stage before the weights, as shown: the kernel itself, if it was computed by its logarithm.
template <class T>
void show(const ScoreRule& rule, Stage stage, std::vector<T>& rows) {
  constexpr T excluded = -std::numeric_limits<T>::infinity();
  if (!rule.is_root || stage == Stage::weights) return;
  for (T& s : rows)
    if (stage != Stage::scores_masked || s != excluded) s = static_cast<T>(rule.scale) * std::exp(s);
}

template <class T>
void produce_typed(const AttentionProblem& problem, const AttentionEngine& engine, const Execution& execution,
                   Stage stage, DType dtype, const ByteConsumer& consume) {
  constexpr std::size_t blocks_at_once = 8;
  const RowBlocks blocks(problem.sizes, sizeof(T));
  std::vector<std::vector<T>> parts(std::min(blocks.count(), blocks_at_once));
  for (std::size_t begin = 0; begin < blocks.count(); begin += blocks_at_once) {
    const std::size_t count = std::min(blocks_at_once, blocks.count() - begin);
    execution.parallel(count, [&](std::size_t part, std::size_t) {
      const auto [b, h, first, last, first_row] = blocks[begin + part];
      parts[part].resize((last - first) * problem.sizes.keys);
      compute_rows(problem, engine, execution.isa, stage, b, h, first, last, parts[part].data());
      show(problem.score, stage, parts[part]);
    });
    for (std::size_t part = 0; part < count; ++part) {
      const TensorView rows{parts[part].data(), dtype_of_v<T>, {parts[part].size()}, {1}, nullptr, {}};
      const TensorView stored = cast(rows, dtype);
      consume(stored.data, stored.bytes());
    }
    if (execution.progress) execution.progress(begin + count, blocks.count());
  }
}

/// The best of the keys that are not excluded (their bias is not -inf).
template <class T>
void top_of_row(const T* weight_j, const T* bias_j, std::size_t n, std::size_t top, T* best, std::int64_t* keys) {
  BestKeys found(top);
  for (std::size_t j = 0; j < n; ++j)
    if (bias_j[j] != -std::numeric_limits<T>::infinity()) found.offer({weight_j[j], static_cast<std::int64_t>(j)});
  const std::vector<RankedKey> ranked = found.ranked();
  for (std::size_t r = 0; r < top; ++r) {
    best[r] = r < ranked.size() ? static_cast<T>(ranked[r].score) : T(0);
    keys[r] = r < ranked.size() ? ranked[r].key : -1;
  }
}

template <class T>
void top_typed(const AttentionProblem& problem, const AttentionEngine& engine, const Execution& execution,
               std::size_t top, T* weights, std::int64_t* keys) {
  const RowBlocks blocks(problem.sizes, sizeof(T));
  const std::size_t S = problem.sizes.keys;
  execution.parallel_with_progress(blocks.count(), [&](std::size_t at, std::size_t) {
    const auto [b, h, first, last, first_row] = blocks[at];
    std::vector<T> rows((last - first) * S), bias_j(S);
    compute_rows(problem, engine, execution.isa, Stage::weights, b, h, first, last, rows.data());
    for (std::size_t r = 0; r < last - first; ++r) {
      problem.mask.row(b, h, first + r, {0, S}, bias_j.data());
      top_of_row(rows.data() + r * S, bias_j.data(), S, top, weights + (first_row + r) * top,
                 keys + (first_row + r) * top);
    }
  });
}

}  // namespace

template <class T>
RowSummary scores_to_weights(const WeightRule& rule, T* row, std::size_t n) {
  const auto count = std::count_if(row, row + n, [](T s) { return attended(s); });
  if (count == 0) {
    std::fill(row, row + n, T(0));
    return {-infinity, true};
  }
  switch (rule.normalize) {
    case Normalize::softmax: return softmax(rule, row, n);
    case Normalize::hard: return best(rule, row, n);
    case Normalize::uniform:
      for (std::size_t j = 0; j < n; ++j)
        row[j] = attended(row[j]) ? static_cast<T>(1.0 / static_cast<double>(count)) : T(0);
      return {0, false};
    case Normalize::sum:
    case Normalize::none: break;
  }
  return linear(rule, row, n);
}
template RowSummary scores_to_weights<float>(const WeightRule&, float*, std::size_t);
template RowSummary scores_to_weights<double>(const WeightRule&, double*, std::size_t);

double scores_to_weights_vjp(const WeightRule& rule, const double* score, const double* weight,
                             const RowSummary& summary, double dlse, double* dw, std::size_t n) {
  const bool is_softmax = rule.normalize == Normalize::softmax, is_sum = rule.normalize == Normalize::sum;
  double mean = 0, total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (!attended(score[j])) continue;
    if (is_softmax || is_sum) mean += weight[j] * dw[j];
    if (is_sum) total += rule.exponentiate ? std::exp(score[j]) : score[j];
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (!attended(score[j])) {
      dw[j] = 0;
      continue;
    }
    switch (rule.normalize) {
      case Normalize::softmax: dw[j] = weight[j] * (dw[j] - mean + dlse); break;
      case Normalize::sum: dw[j] = (dw[j] - mean) * (rule.exponentiate ? weight[j] : 1 / total); break;
      case Normalize::none: dw[j] *= rule.exponentiate ? weight[j] : 1; break;
      case Normalize::hard:
      case Normalize::uniform: dw[j] = 0; break;
    }
  }
  return is_softmax && rule.sink ? std::exp(*rule.sink - summary.lse) * (dlse - mean) : 0;
}

TensorView widened_rows(const TensorView& x, std::size_t b, std::size_t h, std::size_t first, std::size_t last) {
  TensorView part = element(element(x, b), h);
  part.data = static_cast<const unsigned char*>(part.data) +
              static_cast<std::ptrdiff_t>(first) * part.strides[0] * static_cast<std::ptrdiff_t>(element_size(x.dtype));
  part.shape[0] = last - first;
  TensorView wide = contiguous(cast(part, DType::f64));
  wide.shape = {1, 1, wide.shape[0], wide.shape[1]};
  wide.strides = row_major_strides(wide.shape);
  return wide;
}

WeightRule weight_rule(const AttentionProblem& problem, std::size_t h) {
  WeightRule rule{problem.normalize, problem.score.kind == Score::gaussian, problem.score.kind == Score::kernel, {}};
  if (!problem.sinks.empty()) rule.sink = problem.sinks[h];
  return rule;
}

template <class T>
void compute_rows(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa, Stage stage, std::size_t b,
                  std::size_t h, std::size_t first, std::size_t last, T* out) {
  const std::size_t S = problem.sizes.keys;
  compute_scores(problem, engine, isa, {b, h, first}, last, out);
  std::vector<double> wide_j;
  const auto in_f64 = [&](std::size_t i, T* row) {
    wide_j.resize(S);
    compute_rows<double>(problem, engine, isa, stage, b, h, i, i + 1, wide_j.data());
    std::copy(wide_j.begin(), wide_j.end(), row);
  };
  const auto give_to_nearest = [&](std::size_t i, T* row) {
    if (problem.empty != EmptyRows::nearest) return;
    if (const auto j = nearest_key(problem, engine, isa, b, h, i)) row[*j] = T(1);
  };
  if (stage == Stage::weights && problem.normalize == Normalize::softmax && &engine != &reference_engine) {
    using Outcome = typename RowSoftmax<T>::Outcome;
    RowSoftmax<T> softmax(problem, isa);
    for (std::size_t i = first; i < last; ++i) {
      T* const row = out + (i - first) * S;
      const Outcome outcome = softmax({b, h, i}, row);
      if (outcome == Outcome::beyond) in_f64(i, row);
      if (outcome == Outcome::empty) give_to_nearest(i, row);
    }
    return;
  }
  std::vector<T> bias_j(S);
  for (std::size_t i = first; i < last; ++i) {
    T* const row = out + (i - first) * S;
    const bool finite = to_stage(problem, stage, {b, h, i}, row, bias_j.data());
    if (std::is_same_v<T, float> && !finite) {
      in_f64(i, row);
      continue;
    }
    if (stage == Stage::weights && scores_to_weights(weight_rule(problem, h), row, S).empty) give_to_nearest(i, row);
  }
}
template void compute_rows<double>(const AttentionProblem&, const AttentionEngine&, Isa, Stage, std::size_t,
                                   std::size_t, std::size_t, std::size_t, double*);
template void compute_rows<float>(const AttentionProblem&, const AttentionEngine&, Isa, Stage, std::size_t, std::size_t,
                                  std::size_t, std::size_t, float*);

std::optional<std::size_t> nearest_key(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa,
                                       std::size_t b, std::size_t h, std::size_t i) {
  AttentionProblem distances = problem;
  // A kernel of finite width is 0 for all far keys; the Gaussian's logarithm distinguishes them.
  if (distances.score.kind == Score::kernel) {
    distances.score.kind = Score::gaussian;
    distances.score.scale = 1;
  }
  std::vector<double> score_j(problem.sizes.keys);
  compute_rows(distances, engine, isa, Stage::scores_masked, b, h, i, i + 1, score_j.data());
  return best_key(score_j.data(), score_j.size());
}

void top_weights(const AttentionProblem& problem, const AttentionEngine& engine, const Execution& execution,
                 std::size_t top, void* weights, std::int64_t* keys) {
  if (problem.compute == DType::f64)
    top_typed(problem, engine, execution, top, static_cast<double*>(weights), keys);
  else
    top_typed(problem, engine, execution, top, static_cast<float*>(weights), keys);
}

TensorProducer produce_rows(std::shared_ptr<const AttentionProblem> problem, const AttentionEngine& engine,
                            const Execution& execution, Stage stage, DType dtype, Shape shape) {
  const auto produce = [problem = std::move(problem), &engine, execution, stage, dtype](const ByteConsumer& consume) {
    if (execution.dry_run != nullptr) {
      const TensorView row = Tensor::zeros(dtype, {problem->sizes.keys}).view();
      const AttentionSizes& n = problem->sizes;
      for (std::size_t i = 0; i < n.batch * n.heads * n.queries; ++i) consume(row.data, row.bytes());
      return;
    }
    if (problem->compute == DType::f64)
      produce_typed<double>(*problem, engine, execution, stage, dtype, consume);
    else
      produce_typed<float>(*problem, engine, execution, stage, dtype, consume);
  };
  return {dtype, std::move(shape), produce};
}

}  // namespace attn
