#include <attn/attention/rows.hpp>

#include <attn/attention/score.hpp>

#include <algorithm>
#include <limits>

namespace attn {
namespace {

template <class T>
void mask_row(const AttentionProblem& problem, std::size_t b, std::size_t h, std::size_t i, T* bias_j, T* score_j) {
  constexpr T excluded = -std::numeric_limits<T>::infinity();
  const std::size_t S = problem.sizes.keys;
  problem.mask.row(b, h, i, {0, S}, bias_j);
  for (std::size_t j = 0; j < S; ++j) score_j[j] = bias_j[j] == excluded ? excluded : score_j[j] + bias_j[j];
}

/// The rows of (B, H, L) in their order, cut into blocks of a few rows of one head.
struct RowBlocks {
  const AttentionSizes& n;
  std::size_t rows, per_head;

  RowBlocks(const AttentionSizes& sizes, std::size_t element_bytes) : n(sizes) {
    constexpr std::size_t block_bytes = std::size_t{1} << 18;
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

template <class T>
void produce_typed(const AttentionProblem& problem, const AttentionEngine& engine, const Execution& execution,
                   Stage stage, DType dtype, const ByteConsumer& consume) {
  constexpr std::size_t blocks_at_once = 16;
  const RowBlocks blocks(problem.sizes, sizeof(T));
  std::vector<std::vector<T>> parts(std::min(blocks.count(), blocks_at_once));
  for (std::size_t begin = 0; begin < blocks.count(); begin += blocks_at_once) {
    const std::size_t count = std::min(blocks_at_once, blocks.count() - begin);
    execution.parallel(count, [&](std::size_t part, std::size_t) {
      const auto [b, h, first, last, first_row] = blocks[begin + part];
      parts[part].resize((last - first) * problem.sizes.keys);
      compute_rows(problem, engine, execution.isa, stage, b, h, first, last, parts[part].data());
    });
    for (std::size_t part = 0; part < count; ++part) {
      const TensorView rows{parts[part].data(), dtype_of_v<T>, {parts[part].size()}, {1}, nullptr, {}};
      const TensorView stored = cast(rows, dtype);
      consume(stored.data, stored.bytes());
    }
    if (execution.progress) execution.progress(begin + count, blocks.count());
  }
}

template <class T>
void top_of_row(const T* weight_j, std::size_t n, std::size_t top, T* best, std::int64_t* keys) {
  std::vector<std::int64_t> order;
  for (std::size_t j = 0; j < n; ++j)
    if (weight_j[j] != 0) order.push_back(static_cast<std::int64_t>(j));
  const auto larger = [&](std::int64_t a, std::int64_t b) {
    return weight_j[a] > weight_j[b] || (!(weight_j[b] > weight_j[a]) && a < b);
  };
  const std::size_t kept = std::min(top, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), larger);
  for (std::size_t r = 0; r < top; ++r) {
    best[r] = r < kept ? weight_j[order[r]] : T(0);
    keys[r] = r < kept ? order[r] : -1;
  }
}

template <class T>
void top_typed(const AttentionProblem& problem, const AttentionEngine& engine, const Execution& execution,
               std::size_t top, T* weights, std::int64_t* keys) {
  const RowBlocks blocks(problem.sizes, sizeof(T));
  const std::size_t S = problem.sizes.keys;
  execution.parallel_with_progress(blocks.count(), [&](std::size_t at, std::size_t) {
    const auto [b, h, first, last, first_row] = blocks[at];
    std::vector<T> rows((last - first) * S);
    compute_rows(problem, engine, execution.isa, Stage::weights, b, h, first, last, rows.data());
    for (std::size_t r = 0; r < last - first; ++r)
      top_of_row(rows.data() + r * S, S, top, weights + (first_row + r) * top, keys + (first_row + r) * top);
  });
}

}  // namespace

WeightRule weight_rule(const AttentionProblem& problem, std::size_t h) {
  WeightRule rule{problem.normalize, problem.score.kind == Score::gaussian, {}};
  if (!problem.sinks.empty()) rule.sink = problem.sinks[h];
  return rule;
}

template <class T>
void compute_rows(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa, Stage stage, std::size_t b,
                  std::size_t h, std::size_t first, std::size_t last, T* out) {
  const std::size_t S = problem.sizes.keys;
  engine.score_tile(problem, {b, h, first, last, {0, S}}, out, isa);
  if (stage == Stage::scores) return;
  std::vector<T> bias_j(stage == Stage::scores_softcap ? 0 : S);
  for (std::size_t i = first; i < last; ++i) {
    T* const row = out + (i - first) * S;
    for (std::size_t j = 0; j < S; ++j) row[j] = softcapped(row[j], static_cast<T>(problem.score.softcap));
    if (stage == Stage::scores_softcap) continue;
    mask_row(problem, b, h, i, bias_j.data(), row);
    if (stage != Stage::weights) continue;
    const RowSummary summary = scores_to_weights(weight_rule(problem, h), row, S);
    if (!summary.empty || problem.empty != EmptyRows::nearest) continue;
    if (const auto j = nearest_key(problem, engine, isa, b, h, i)) row[*j] = T(1);
  }
}
template void compute_rows<float>(const AttentionProblem&, const AttentionEngine&, Isa, Stage, std::size_t, std::size_t,
                                  std::size_t, std::size_t, float*);
template void compute_rows<double>(const AttentionProblem&, const AttentionEngine&, Isa, Stage, std::size_t,
                                   std::size_t, std::size_t, std::size_t, double*);

template <class T>
static std::optional<std::size_t> nearest_typed(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa,
                                                std::size_t b, std::size_t h, std::size_t i) {
  std::vector<T> score_j(problem.sizes.keys);
  compute_rows(problem, engine, isa, Stage::scores_masked, b, h, i, i + 1, score_j.data());
  const auto best = std::max_element(score_j.begin(), score_j.end());
  if (best == score_j.end() || *best == -std::numeric_limits<T>::infinity()) return std::nullopt;
  return static_cast<std::size_t>(best - score_j.begin());
}

std::optional<std::size_t> nearest_key(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa,
                                       std::size_t b, std::size_t h, std::size_t i) {
  AttentionProblem distances = problem;
  // A compact kernel is 0 for all far keys; the Gaussian's logarithm tells them apart.
  if (distances.score.kind == Score::kernel) distances.score.kind = Score::gaussian;
  return problem.compute == DType::f64 ? nearest_typed<double>(distances, engine, isa, b, h, i)
                                       : nearest_typed<float>(distances, engine, isa, b, h, i);
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
    if (problem->compute == DType::f64)
      produce_typed<double>(*problem, engine, execution, stage, dtype, consume);
    else
      produce_typed<float>(*problem, engine, execution, stage, dtype, consume);
  };
  return {dtype, std::move(shape), produce};
}

}  // namespace attn
