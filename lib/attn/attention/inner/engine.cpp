#include <attn/attention/inner/engine.hpp>

#include <attn/attention/fused/engine.hpp>
#include <attn/attention/inner/weights.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {
namespace {

template <class T>
std::size_t look_up(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution) {
  constexpr std::size_t block_bytes = std::size_t{1} << 19;
  constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();
  const AttentionSizes& n = problem.sizes;
  AttentionProblem rows = problem;
  rows.empty = EmptyRows::zero;  // a row without keys is told from the others by its zeros
  const std::size_t most_rows =
      std::clamp<std::size_t>(block_bytes / (std::max<std::size_t>(n.keys, 1) * sizeof(T)), 1, 48);
  const std::size_t per_head = (n.queries + most_rows - 1) / most_rows;
  std::atomic<std::size_t> empty_rows{0};
  execution.parallel_with_progress(n.batch * n.heads * per_head, [&](std::size_t task, std::size_t) {
    const std::size_t b = task / per_head / n.heads, h = task / per_head % n.heads, first = task % per_head * most_rows;
    const std::size_t last = std::min(first + most_rows, n.queries);
    const TensorView value_jc = element(element(problem.value, b), problem.kv_head(h));
    std::vector<T> weights((last - first) * n.keys);
    compute_rows(rows, fused_engine, execution.isa, Stage::weights, b, h, first, last, weights.data());
    for (std::size_t i = first; i < last; ++i) {
      const auto row = weights.cbegin() + static_cast<std::ptrdiff_t>((i - first) * n.keys);
      const auto end = row + static_cast<std::ptrdiff_t>(n.keys);
      const auto best = std::find_if(row, end, [](T weight) { return weight != 0; });
      T* const out = static_cast<T*>(outputs.output) + static_cast<std::ptrdiff_t>(b) * outputs.strides[0] +
                     static_cast<std::ptrdiff_t>(h) * outputs.strides[1] +
                     static_cast<std::ptrdiff_t>(i) * outputs.strides[2];
      if (best == end)
        std::fill_n(out, n.value_width, problem.empty == EmptyRows::nan ? not_a_number : T(0));
      else if (std::isnan(*best))
        std::fill_n(out, n.value_width, not_a_number);
      else
        std::copy_n(
            cast(element(value_jc, static_cast<std::size_t>(best - row)), dtype_of_v<T>).template contiguous_data<T>(),
            n.value_width, out);
      empty_rows += best == end ? 1 : 0;
      if (outputs.lse != nullptr)
        static_cast<T*>(outputs.lse)[(b * n.heads + h) * n.queries + i] =
            best == end ? -std::numeric_limits<T>::infinity() : T(0);
    }
  });
  return empty_rows;
}

std::size_t attend_hard(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution) {
  return problem.compute == DType::f64 ? look_up<double>(problem, outputs, execution)
                                       : look_up<float>(problem, outputs, execution);
}

void score_tile_hard(const AttentionProblem& problem, const ScoreTile& tile, void* out, Isa isa) {
  fused_engine.score_tile(problem, tile, out, isa);
}

}  // namespace

const AttentionEngine hard_engine{attend_hard, nullptr, nullptr, score_tile_hard};

const AttentionEngine& engine_for(const AttentionProblem& problem, Engine choice) {
  if (choice == Engine::reference) return reference_engine;
  return problem.normalize == Normalize::hard ? hard_engine : fused_engine;
}

}  // namespace attn
