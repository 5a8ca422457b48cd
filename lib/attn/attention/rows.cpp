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

/// Consecutive rows of (B, H, L), several heads long if need be, cut into tasks of a few rows.
template <class T>
void produce_typed(const AttentionProblem& problem, const AttentionEngine& engine, const Execution& execution,
                   Stage stage, DType dtype, const ByteConsumer& consume) {
  constexpr std::size_t task_bytes = std::size_t{1} << 18;
  constexpr std::size_t tasks_at_once = 16;
  const auto& n = problem.sizes;
  const std::size_t rows_per_task =
      std::clamp<std::size_t>(task_bytes / (std::max<std::size_t>(n.keys, 1) * sizeof(T)), 1, 64);
  const std::size_t tasks_per_head = (n.queries + rows_per_task - 1) / rows_per_task;
  const std::size_t tasks = n.batch * n.heads * tasks_per_head;
  std::vector<std::vector<T>> parts(std::min(tasks, tasks_at_once));
  for (std::size_t begin = 0; begin < tasks; begin += tasks_at_once) {
    const std::size_t count = std::min(tasks_at_once, tasks - begin);
    execution.parallel(count, [&](std::size_t part, std::size_t) {
      const std::size_t bh = (begin + part) / tasks_per_head;
      const std::size_t first = (begin + part) % tasks_per_head * rows_per_task;
      const std::size_t last = std::min(first + rows_per_task, n.queries);
      parts[part].resize((last - first) * n.keys);
      compute_rows(problem, engine, execution.isa, stage, bh / n.heads, bh % n.heads, first, last, parts[part].data());
    });
    for (std::size_t part = 0; part < count; ++part) {
      const TensorView rows{parts[part].data(), dtype_of_v<T>, {parts[part].size()}, {1}, nullptr, {}};
      const TensorView stored = cast(rows, dtype);
      consume(stored.data, stored.bytes());
    }
  }
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
    if (stage == Stage::weights) scores_to_weights(weight_rule(problem, h), row, S);
  }
}
template void compute_rows<float>(const AttentionProblem&, const AttentionEngine&, Isa, Stage, std::size_t, std::size_t,
                                  std::size_t, std::size_t, float*);
template void compute_rows<double>(const AttentionProblem&, const AttentionEngine&, Isa, Stage, std::size_t,
                                   std::size_t, std::size_t, std::size_t, double*);

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
