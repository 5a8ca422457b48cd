#include <attn/attention/weighted.hpp>

#include <attn/attention/weighted_rows.hpp>

#include <atomic>
#include <mutex>

namespace attn {
namespace {

/// The problem for the fused engine's score tiles, which compute the squared distance for a smoothing kernel.
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
std::size_t attend_typed(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution,
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

/// Rows of f32 that exceeded its range, in f64.
std::size_t attend_beyond(const AttentionProblem& problem, const std::vector<QueryRow>& beyond,
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
  if (problem.compute == DType::f64) return attend_typed<double>(problem, outputs, execution, beyond);
  const std::size_t empty_rows = attend_typed<float>(problem, outputs, execution, beyond);
  return beyond.empty() ? empty_rows : empty_rows + attend_beyond(problem, beyond, outputs, execution);
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
