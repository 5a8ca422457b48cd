#include <attn/attention/engines/fused/engine.hpp>

#include <attn/attention/engines/fused/schedule.hpp>
#include <attn/attention/engines/row_result.hpp>

#include <algorithm>
#include <mutex>

namespace attn {
namespace {

using fused::BlockOfRows;
using fused::Plan;
using fused::RowBlock;
using fused::RowFinisher;
using fused::RunningState;

/// The query of row r of the block.
template <class T>
QueryRow query_row(const Plan<T>& plan, const RowBlock& block, std::size_t r) {
  return {block.b, plan.head(block, r), plan.query(block, r)};
}

/// Computes some rows as a whole, written as Out.
template <class T, class Out>
std::size_t attend_rows(const Plan<T>& plan, const std::vector<RowBlock>& rows, const AttentionOutputs& outputs,
                        const Execution& execution) {
  std::mutex access;
  std::size_t empty_rows = 0;
  const auto load = [&](const RowBlock& block, const RunningState<T>& state) { clear(plan, block, state); };
  const auto store = [&](const RowBlock& block, const RunningState<T>& state) {
    RowFinisher<T, Out> finish(plan.problem, outputs);
    for (std::size_t r = 0; r < block.rows(); ++r)
      finish(query_row(plan, block, r), state.maximum[r], state.total[r], state.out + r * plan.padded_values);
    const std::lock_guard lock(access);
    empty_rows += finish.empty_rows();
    if (outputs.beyond != nullptr)
      outputs.beyond->insert(outputs.beyond->end(), finish.beyond().begin(), finish.beyond().end());
  };
  attend_blocks(plan, rows, execution, load, store);
  return empty_rows;
}

/// Computes rows that exceeded the range of f32 in f64. The bits of a row depend only on the row, so each may be
/// computed alone.
std::size_t attend_again_in_f64(const AttentionProblem& problem, const std::vector<QueryRow>& beyond,
                                const AttentionOutputs& outputs, const Execution& execution) {
  const AttentionProblem wide = widened(problem);
  const Plan<double> plan(wide, execution.isa);
  std::vector<RowBlock> rows;
  for (const QueryRow& at : beyond) {
    const std::size_t g = problem.kv_head(at.h), row = (at.h - g * plan.group()) * problem.sizes.queries + at.i;
    const bool continues = !rows.empty() && rows.back().b == at.b && rows.back().g == g && rows.back().last == row &&
                           rows.back().rows() < plan.rows_at_once();
    if (continues)
      ++rows.back().last;
    else
      rows.push_back({at.b, g, row, row + 1});
  }
  return attend_rows<double, float>(plan, rows, outputs, execution);
}

template <class T>
std::size_t attend_as(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution) {
  const Plan<T> plan(problem, execution.isa);
  std::vector<QueryRow> beyond;
  AttentionOutputs places = outputs;
  places.beyond = &beyond;
  const std::size_t empty_rows = attend_rows<T, T>(plan, cut(plan, execution.threads()), places, execution);
  return beyond.empty() ? empty_rows : empty_rows + attend_again_in_f64(problem, beyond, outputs, execution);
}

template <class T>
void fold_typed(const AttentionProblem& problem, AttentionState& kept, const Execution& execution) {
  const Plan<T> plan(problem, execution.isa);
  const std::size_t d_v = problem.sizes.value_width;
  const auto row_of = [&](const RowBlock& block, std::size_t r) {
    return (block.b * problem.sizes.heads + plan.head(block, r)) * problem.sizes.queries + plan.query(block, r);
  };
  T* const maximum = kept.maximum.data_as<T>();
  T* const total = kept.total.data_as<T>();
  T* const out = kept.output.data_as<T>();
  const auto load = [&](const RowBlock& block, const RunningState<T>& state) {
    clear(plan, block, state);
    for (std::size_t r = 0; r < block.rows(); ++r) {
      const std::size_t row = row_of(block, r);
      state.maximum[r] = maximum[row];
      state.total[r] = total[row];
      std::copy_n(out + row * d_v, d_v, state.out + r * plan.padded_values);
    }
  };
  const auto store = [&](const RowBlock& block, const RunningState<T>& state) {
    for (std::size_t r = 0; r < block.rows(); ++r) {
      const std::size_t row = row_of(block, r);
      maximum[row] = state.maximum[r];
      total[row] = state.total[r];
      std::copy_n(state.out + r * plan.padded_values, d_v, out + row * d_v);
    }
  };
  attend_blocks(plan, cut(plan, execution.threads()), execution, load, store);
}

/// Row `at` of the result.
template <class T, class Out>
void finish_row(const AttentionState& state, const AttentionSizes& n, const QueryRow& at, RowFinisher<T, Out>& finish) {
  const std::size_t row = (at.b * n.heads + at.h) * n.queries + at.i;
  finish(at, state.maximum.view().template contiguous_data<T>()[row],
         state.total.view().template contiguous_data<T>()[row],
         state.output.view().template contiguous_data<T>() + row * n.value_width);
}

template <class T>
std::size_t finish_typed(const AttentionProblem& problem, const AttentionState& state,
                         const AttentionOutputs& outputs) {
  const AttentionSizes& n = problem.sizes;
  RowFinisher<T> finish(problem, outputs);
  for (std::size_t b = 0; b < n.batch; ++b)
    for (std::size_t h = 0; h < n.heads; ++h)
      for (std::size_t i = 0; i < n.queries; ++i) finish_row(state, n, {b, h, i}, finish);
  if (outputs.beyond != nullptr) *outputs.beyond = finish.beyond();
  return finish.empty_rows();
}

template <class T>
void score_tile_typed(const AttentionProblem& problem, const ScoreTile& tile, T* out, Isa isa) {
  const Plan<T> plan(problem, isa, true);
  const std::size_t g = problem.kv_head(tile.h), columns = tile.keys.last - tile.keys.first;
  const std::size_t origin = (tile.h - g * plan.group()) * problem.sizes.queries;
  BlockOfRows<T> rows(plan, {tile.b, g, origin + tile.first_query, origin + tile.last_query});
  for (std::size_t key = tile.keys.first; key < tile.keys.last;) {
    const std::size_t end = std::min(key + fused::key_block, tile.keys.last);
    rows.scores(key, end, out + (key - tile.keys.first), columns);
    key = end;
  }
}

std::size_t attend_fused(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution) {
  return problem.compute == DType::f64 ? attend_as<double>(problem, outputs, execution)
                                       : attend_as<float>(problem, outputs, execution);
}

AttentionState start_fused(const AttentionProblem& problem) { return {problem.sizes, problem.compute}; }

void fold_fused(const AttentionProblem& problem, AttentionState& state, const Execution& execution) {
  problem.compute == DType::f64 ? fold_typed<double>(problem, state, execution)
                                : fold_typed<float>(problem, state, execution);
}

std::size_t finish_fused(const AttentionProblem& problem, const AttentionState& state,
                         const AttentionOutputs& outputs) {
  return problem.compute == DType::f64 ? finish_typed<double>(problem, state, outputs)
                                       : finish_typed<float>(problem, state, outputs);
}

void score_tile_fused(const AttentionProblem& problem, const ScoreTile& tile, void* out, Isa isa) {
  problem.compute == DType::f64 ? score_tile_typed(problem, tile, static_cast<double*>(out), isa)
                                : score_tile_typed(problem, tile, static_cast<float*>(out), isa);
}

}  // namespace

std::size_t finish_beyond(const AttentionProblem& wide, const AttentionState& state, const std::vector<QueryRow>& rows,
                          const AttentionOutputs& outputs) {
  RowFinisher<double, float> finish(wide, outputs);
  for (const QueryRow& at : rows) finish_row(state, wide.sizes, at, finish);
  return finish.empty_rows();
}

const AttentionEngine fused_engine{fused::key_block, attend_fused, start_fused,
                                   fold_fused,       finish_fused, score_tile_fused};

}  // namespace attn
