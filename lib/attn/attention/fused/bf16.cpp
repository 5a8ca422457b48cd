#include <attn/attention/fused/bf16.hpp>

#include <cstring>

namespace attn::fused {
namespace {

/// The stride keeps rows of scores from starting in the same sets of the cache.
constexpr std::size_t score_stride = simd::bf16_keys + 16;
/// Up to this many rows, reading keys and values twice is cheaper than packing and padding them to tiles.
constexpr std::size_t most_streamed = 2 * simd::bf16_streamed_rows;
constexpr std::size_t value_steps = simd::bf16_keys / simd::bf16_step;

const std::uint16_t* bf16_row(const TensorView& x, std::size_t b, std::size_t h, std::size_t i) {
  return reinterpret_cast<const std::uint16_t*>(row_of(x, b, h, i));
}

struct Bf16Scratch;

}  // namespace

Bf16BlockOfRows::Bf16BlockOfRows(const Plan<float>& plan, const RowBlock& block)
    : plan_(plan),
      kernels_(*plan.bf16),
      block_(block),
      streams_(block.rows() <= most_streamed),
      depth_(round_up(plan.width, simd::bf16_step)) {
  const std::size_t rows = block.rows();
  KeyRange* ranges = nullptr;
  float* bias = nullptr;
  const auto carve = [&](simd::Carver memory) {
    queries_ = memory.take<std::uint16_t>(round_up(rows, simd::bf16_rows) * depth_);
    keys_ = memory.take<std::uint16_t>(streams_ ? 0 : simd::bf16_keys * depth_);
    values_ =
        memory.take<std::uint16_t>(streams_ ? 0 : simd::bf16_keys * round_up(plan.padded_values, simd::bf16_group));
    scores_ = memory.take<float>(simd::bf16_rows * score_stride);
    bias = memory.take<float>(plan.problem.mask.is_ranges_only() ? 0 : simd::bf16_rows * key_block);
    state_ = take_state<float>(memory, rows, plan.padded_values);
    ranges = memory.take<KeyRange>(rows);
    return memory.used();
  };
  bytes_ = carve(simd::Carver());
  carve(simd::Carver(simd::scratch<Bf16Scratch>(bytes_)));
  masks_ = RowMasks<float>(plan, block, ranges, bias);
  pack_queries();
  kernels_.begin();
}

void Bf16BlockOfRows::pack_queries() {
  const std::size_t width = plan_.width, rows = block_.rows();
  for (std::size_t r = 0; r < round_up(rows, simd::bf16_rows); ++r) {
    std::uint16_t* const row = queries_ + r * depth_;
    const std::size_t present = r < rows ? width : 0;
    if (present > 0)
      std::memcpy(row, bf16_row(plan_.problem.query, block_.b, plan_.head(block_, r), plan_.query(block_, r)),
                  present * sizeof *row);
    std::memset(row + present, 0, (depth_ - present) * sizeof *row);
  }
}

simd::Bf16Rows Bf16BlockOfRows::rows_of(const TensorView& x, std::size_t key, std::size_t count,
                                        std::size_t width) const {
  return {bf16_row(x, block_.b, block_.g, key - plan_.problem.first_key), x.strides[2], count, width};
}

void Bf16BlockOfRows::attend_group(const RowGroup& group, std::size_t key, std::size_t count,
                                   const RunningState<float>& state) {
  const KeySpan span = masks_.span(group, key, count);
  if (span.kind == TileKind::empty) return;
  const std::size_t first = span.first / simd::bf16_step * simd::bf16_step;
  const std::size_t last = round_up(span.last, simd::bf16_step);
  simd::Bf16Scores scores;
  scores.queries = queries_ + group.first * depth_;
  scores.keys = keys_;
  scores.first = first;
  scores.last = last;
  scores.steps = depth_ / simd::bf16_step;
  scores.rows = group.rows;
  scores.scores = scores_;
  scores.stride = score_stride;
  const AttentionProblem& problem = plan_.problem;
  if (streams_)
    kernels_.stream_scores(scores, rows_of(problem.key, key, count, plan_.width));
  else
    kernels_.scores(scores);

  RowLimits<float, simd::bf16_rows> limits;
  float keep[simd::bf16_rows], add[simd::bf16_rows];
  simd::WeightRows<float> weights;
  weights.scores = scores_ + first;
  weights.stride = score_stride;
  weights.columns = last - first;
  const bool excludes = masks_.limit(group, span, key, count, first, limits, weights);
  weights.softcap = plan_.softcap;
  weights.maximum = state.maximum + group.first;
  weights.total = state.total + group.first;
  weights.keep = keep;
  weights.add = add;
  kernels_.weights(weights, static_cast<float>(plan_.query_factor));

  simd::Bf16Pool pool;
  pool.weights = reinterpret_cast<const std::uint16_t*>(scores_ + first);
  pool.weights_stride = 2 * score_stride;
  pool.values = values_ + first / simd::bf16_step * simd::bf16_step * simd::bf16_group;
  pool.keys = last - first;
  pool.steps = value_steps;
  pool.rows = group.rows;
  pool.columns = plan_.padded_values;
  pool.out = state.out + group.first * plan_.padded_values;
  pool.out_stride = static_cast<std::ptrdiff_t>(plan_.padded_values);
  pool.keep = keep;
  pool.add = add;
  pool.excludes = excludes || first != span.first || last != span.last;
  if (streams_)
    kernels_.stream_pool(pool, rows_of(problem.value, key + first, count - first, problem.sizes.value_width));
  else
    kernels_.pool(pool);
}

bool Bf16BlockOfRows::attend(std::size_t first, std::size_t last, const RunningState<float>& state) {
  const KeyRange used = masks_.keys({first, last});
  if (used.first >= used.last) return false;
  const AttentionProblem& problem = plan_.problem;
  const std::size_t count = used.last - first;
  if (!streams_) {
    const simd::Bf16Rows keys = rows_of(problem.key, first, count, plan_.width);
    const simd::Bf16Rows values = rows_of(problem.value, first, count, problem.sizes.value_width);
    kernels_.pack_keys(keys.data, keys.stride, count, keys.width, keys_);
    kernels_.pack_values(values.data, values.stride, count, values.width, value_steps, values_);
  }
  for (std::size_t row = 0, rows; row < block_.rows(); row += rows) {
    const std::size_t left = block_.rows() - row;
    rows = !streams_ ? std::min(simd::bf16_rows, left) : left >= 4 ? 4 : left >= 2 ? 2 : 1;
    attend_group({row, rows}, first, count, state);
  }
  return true;
}

}  // namespace attn::fused
