#include <attn/attention/fused.hpp>

#include <attn/attention/bf16_block.hpp>
#include <attn/attention/fused_block.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>

namespace attn {
namespace {

using fused::Bf16BlockOfRows;
using fused::BlockOfRows;
using fused::Plan;
using fused::RowBlock;
using fused::RunningState;

constexpr double ln_2 = 0.69314718055994530942;

/// The blocks of rows of a problem, the ones with most work first, so that no thread is left with a long one at the
/// end; blocks are smaller where there would be few for each thread.
template <class T>
std::vector<RowBlock> cut(const Plan<T>& plan, std::size_t threads) {
  const AttentionSizes& n = plan.problem.sizes;
  const std::size_t rows = plan.group() * n.queries, most = plan.rows_at_once();
  const bool has_few_blocks = n.batch * n.kv_heads * (rows / most) < 8 * threads;
  const std::size_t step = has_few_blocks && most > fused::fewer_rows ? fused::fewer_rows : most;
  std::vector<RowBlock> blocks;
  std::vector<double> work;
  for (std::size_t b = 0; b < n.batch; ++b)
    for (std::size_t g = 0; g < n.kv_heads; ++g)
      for (std::size_t first = 0; first < rows; first += step) {
        const RowBlock block{b, g, first, std::min(first + step, rows)};
        double keys = 0;
        for (const std::size_t row : {std::size_t{0}, block.rows() / 2, block.rows() - 1}) {
          const KeyRange range = plan.problem.mask.keys(b, plan.head(block, row), plan.query(block, row));
          keys += static_cast<double>(range.last - range.first);
        }
        blocks.push_back(block);
        work.push_back(keys * static_cast<double>(block.rows()));
      }
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return work[a] > work[b]; });
  std::vector<RowBlock> sorted;
  for (const std::size_t at : order) sorted.push_back(blocks[at]);
  return sorted;
}

/// The blocks of keys that the problem holds, as Rows take them: [begin(i), end(i)) for i < count.
template <class Rows>
struct KeyBlocks {
  explicit KeyBlocks(const AttentionProblem& problem)
      : first(problem.first_key),
        last(problem.first_key + problem.block_keys()),
        count((problem.block_keys() + Rows::keys_at_once - 1) / Rows::keys_at_once) {}
  std::size_t begin(std::size_t i) const noexcept { return first + i * Rows::keys_at_once; }
  std::size_t end(std::size_t i) const noexcept { return std::min(begin(i) + Rows::keys_at_once, last); }
  std::size_t first, last, count;
};

template <class T>
void clear(const Plan<T>& plan, const RowBlock& block, const RunningState<T>& state) {
  std::fill_n(state.maximum, block.rows(), -std::numeric_limits<T>::infinity());
  std::fill_n(state.total, block.rows(), T(0));
  std::fill_n(state.out, block.rows() * plan.padded_values, T(0));
}

/// Too few blocks of rows for the threads: the blocks of keys are attended to in parallel, each into a state of its
/// own, and these are joined in order, as many at a time as memory allows.
template <class Rows, class T, class Load, class Store>
void attend_by_keys(const Plan<T>& plan, const std::vector<RowBlock>& rows, const Execution& execution,
                    const Load& load, const Store& store) {
  constexpr std::size_t memory = std::size_t{1} << 20;  // of states, for each thread
  const KeyBlocks<Rows> keys(plan.problem);
  for (const RowBlock& block : rows) {
    const std::size_t count = block.rows(), row_elements = plan.padded_values + 2;
    const std::size_t at_once =
        std::clamp<std::size_t>(memory * execution.threads() / (count * row_elements * sizeof(T)), 1, keys.count);
    Tensor space(dtype_of_v<T>, {(at_once + 1) * count * row_elements + 64 * (at_once + 1)});
    const auto state_at = [&](std::size_t slot) {
      T* const base = space.data_as<T>() + slot * (count * row_elements + 64);
      T* const totals = base + count * plan.padded_values;
      return RunningState<T>{totals, totals + count, base};
    };
    const RunningState<T> running = state_at(at_once);
    load(block, running);
    for (std::size_t wave = 0; wave < keys.count; wave += at_once) {
      const std::size_t parts = std::min(at_once, keys.count - wave);
      const std::size_t tasks = std::min(parts, 4 * execution.threads());
      execution.parallel(tasks, [&](std::size_t task, std::size_t) {
        Rows own(plan, block);
        for (std::size_t part = task * parts / tasks; part < (task + 1) * parts / tasks; ++part) {
          clear(plan, block, state_at(part));
          own.attend(keys.begin(wave + part), keys.end(wave + part), state_at(part));
        }
      });
      for (std::size_t part = 0; part < parts; ++part) {
        const RunningState<T> later = state_at(part);
        simd::MergeRows<T> merge;
        merge.rows = count;
        merge.columns = plan.padded_values;
        merge.maximum = running.maximum;
        merge.total = running.total;
        merge.out = running.out;
        merge.block_maximum = later.maximum;
        merge.block_total = later.total;
        merge.block_out = later.out;
        plan.kernels.merge(merge);
      }
    }
    store(block, running);
  }
}

template <class Rows, class T, class Load, class Store>
void attend_with(const Plan<T>& plan, const std::vector<RowBlock>& rows, const Execution& execution, const Load& load,
                 const Store& store) {
  const KeyBlocks<Rows> keys(plan.problem);
  if (execution.threads() > 1 && rows.size() < 2 * execution.threads() && keys.count > 1)
    return attend_by_keys<Rows>(plan, rows, execution, load, store);
  execution.parallel_with_progress(rows.size(), [&](std::size_t task, std::size_t) {
    Rows own(plan, rows[task]);
    const RunningState<T> state = own.state();
    // Threads take tasks in turn, so that this is about the one that this thread takes next.
    const std::size_t next = task + execution.threads();
    if (keys.count == 1 && next < rows.size()) own.fetch_ahead(rows[next]);
    load(rows[task], state);
    for (std::size_t i = 0; i < keys.count; ++i) own.attend(keys.begin(i), keys.end(i), state);
    store(rows[task], state);
  });
}

/// These rows attend to all keys that the problem holds. load(rows, state) gives what is known so far,
/// store(rows, state) takes the result.
template <class T, class Load, class Store>
void attend_blocks(const Plan<T>& plan, const std::vector<RowBlock>& rows, const Execution& execution, const Load& load,
                   const Store& store) {
  if constexpr (std::is_same_v<T, float>)
    if (plan.bf16 != nullptr) return attend_with<Bf16BlockOfRows>(plan, rows, execution, load, store);
  attend_with<BlockOfRows<T>>(plan, rows, execution, load, store);
}

/// Some number of the row went beyond the range of f32 on the way, so that f64 gives another result: its maximum, its
/// sum or what is pooled is no number, or all its scores became -inf although keys take part.
bool is_beyond(const AttentionProblem& problem, const QueryRow& at, float maximum, float total, const float* pooled) {
  constexpr float most = std::numeric_limits<float>::max();
  if (!(total <= most) || maximum > most) return true;
  // The bits of a magnitude are in the order of magnitudes: below 0 is left where one is not finite. On integers the
  // loop needs no particular instruction set to be one of vectors.
  constexpr std::int32_t largest = 0x7f7fffff, magnitude = 0x7fffffff;
  std::int32_t left = 0;
  for (std::size_t c = 0; c < problem.sizes.value_width; ++c) {
    std::int32_t bits;
    std::memcpy(&bits, pooled + c, sizeof bits);
    left |= largest - (bits & magnitude);
  }
  if (left < 0) return true;
  if (maximum != -std::numeric_limits<float>::infinity()) return false;
  const KeyRange keys = problem.mask.keys(at.b, at.h, at.i);
  for (std::size_t j = keys.first; j < keys.last; ++j)
    if (problem.mask.attends(at.b, at.h, at.i, j)) return true;
  return false;
}

/// One row of the result from its state: the sink joins the total, the pooled values are divided by it.
template <class T, class Out = T>
class RowFinisher {
 public:
  RowFinisher(const AttentionProblem& problem, const AttentionOutputs& outputs)
      : problem_(problem), outputs_(outputs) {}

  void operator()(const QueryRow& at, T maximum, T total, const T* pooled) {
    if constexpr (std::is_same_v<T, float>) {
      if (outputs_.beyond != nullptr && is_beyond(problem_, at, maximum, total, pooled)) return beyond_.push_back(at);
    }
    const AttentionSizes& n = problem_.sizes;
    Out* const out = static_cast<Out*>(outputs_.output) + static_cast<std::ptrdiff_t>(at.b) * outputs_.strides[0] +
                     static_cast<std::ptrdiff_t>(at.h) * outputs_.strides[1] +
                     static_cast<std::ptrdiff_t>(at.i) * outputs_.strides[2];
    const bool is_empty = maximum == -std::numeric_limits<T>::infinity() && total == 0;
    double top = maximum, sum = total, keep = 1;
    if (!is_empty && !problem_.sinks.empty()) {
      const double sink = problem_.sinks[at.h] / ln_2;
      top = std::max(top, sink);
      keep = std::exp2(static_cast<double>(maximum) - top);
      sum = sum * keep + std::exp2(sink - top);
    }
    if (is_empty) {
      ++empty_rows_;
      const Out filler = problem_.empty == EmptyRows::nan ? std::numeric_limits<Out>::quiet_NaN() : Out(0);
      std::fill_n(out, n.value_width, filler);
    } else {
      const T factor = static_cast<T>(keep / sum);
      // Adding 0 makes a zero positive, whichever keys it came from.
      for (std::size_t c = 0; c < n.value_width; ++c) out[c] = static_cast<Out>(pooled[c] * factor + T(0));
    }
    if (outputs_.lse != nullptr)
      static_cast<Out*>(outputs_.lse)[(at.b * n.heads + at.h) * n.queries + at.i] =
          is_empty ? -std::numeric_limits<Out>::infinity() : static_cast<Out>((top + std::log2(sum)) * ln_2);
  }
  std::size_t empty_rows() const noexcept { return empty_rows_; }
  /// Rows that were not written, because f64 has to do them.
  const std::vector<QueryRow>& beyond() const noexcept { return beyond_; }

 private:
  const AttentionProblem& problem_;
  const AttentionOutputs& outputs_;
  std::size_t empty_rows_ = 0;
  std::vector<QueryRow> beyond_;
};

/// Which query row r of the block is.
template <class T>
QueryRow query_row(const Plan<T>& plan, const RowBlock& block, std::size_t r) {
  return {block.b, plan.head(block, r), plan.query(block, r)};
}

/// The whole of some rows, written as Out.
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

/// Rows that went beyond the range of f32, in f64: bits of a row depend on nothing but itself, so each may go alone.
std::size_t attend_beyond(const AttentionProblem& problem, const std::vector<QueryRow>& beyond,
                          const AttentionOutputs& outputs, const Execution& execution) {
  const AttentionProblem wide = widened(problem);
  const Plan<double> plan(wide, execution.isa, ln_2);
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
std::size_t attend_typed(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution) {
  const Plan<T> plan(problem, execution.isa, ln_2);
  std::vector<QueryRow> beyond;
  AttentionOutputs places = outputs;
  places.beyond = &beyond;
  const std::size_t empty_rows = attend_rows<T, T>(plan, cut(plan, execution.threads()), places, execution);
  return beyond.empty() ? empty_rows : empty_rows + attend_beyond(problem, beyond, outputs, execution);
}

template <class T>
void fold_typed(const AttentionProblem& problem, AttentionState& kept, const Execution& execution) {
  const Plan<T> plan(problem, execution.isa, kept.unit);
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
  const Plan<T> plan(problem, isa, 1);
  const std::size_t g = problem.kv_head(tile.h), columns = tile.keys.last - tile.keys.first;
  const std::size_t origin = (tile.h - g * plan.group()) * problem.sizes.queries;
  BlockOfRows<T> rows(plan, {tile.b, g, origin + tile.first_query, origin + tile.last_query});
  for (std::size_t key = tile.keys.first; key < tile.keys.last;) {
    const std::size_t end = std::min(key + fused::key_block, tile.keys.last);
    rows.scores(key, end, out + (key - tile.keys.first), columns);
    key = end;
  }
}

template <class Work>
auto with_compute_type(const AttentionProblem& problem, Work&& work) {
  return problem.compute == DType::f64 ? work(double{}) : work(float{});
}

std::size_t attend_fused(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution) {
  return with_compute_type(problem, [&](auto t) { return attend_typed<decltype(t)>(problem, outputs, execution); });
}

AttentionState start_fused(const AttentionProblem& problem) { return {problem.sizes, problem.compute, ln_2}; }

void fold_fused(const AttentionProblem& problem, AttentionState& state, const Execution& execution) {
  with_compute_type(problem, [&](auto t) { fold_typed<decltype(t)>(problem, state, execution); });
}

std::size_t finish_fused(const AttentionProblem& problem, const AttentionState& state,
                         const AttentionOutputs& outputs) {
  return with_compute_type(problem, [&](auto t) { return finish_typed<decltype(t)>(problem, state, outputs); });
}

void score_tile_fused(const AttentionProblem& problem, const ScoreTile& tile, void* out, Isa isa) {
  with_compute_type(problem, [&](auto t) { score_tile_typed(problem, tile, static_cast<decltype(t)*>(out), isa); });
}

}  // namespace

std::size_t finish_beyond(const AttentionProblem& wide, const AttentionState& state, const std::vector<QueryRow>& rows,
                          const AttentionOutputs& outputs) {
  RowFinisher<double, float> finish(wide, outputs);
  for (const QueryRow& at : rows) finish_row(state, wide.sizes, at, finish);
  return finish.empty_rows();
}

bool fused_supports(const AttentionProblem& problem) noexcept { return problem.normalize == Normalize::softmax; }

const AttentionEngine fused_engine{fused::key_block, attend_fused, start_fused,
                                   fold_fused,       finish_fused, score_tile_fused};

}  // namespace attn
