#include <attn/attention/fused/bf16x3.hpp>

#include <algorithm>
#include <limits>

namespace attn::fused {
namespace {

using simd::bf16x3_group_rows;
using simd::bf16x3_side;
using simd::bf16x3_step;
using simd::bf16x3_tile;

struct Bf16x3Scratch;

}  // namespace

Bf16x3BlockOfRows::Bf16x3BlockOfRows(const Plan<float>& plan, const RowBlock& block)
    : plan_(plan),
      kernels_(*plan.bf16x3),
      block_(block),
      next_(block),
      streams_(block.rows() <= bf16x3_side),
      steps_(round_up(plan.width, bf16x3_step) / bf16x3_step) {
  const std::size_t rows = block.rows(), panel = plan.kernels.panel_width;
  const std::size_t tiles_of_rows = round_up(rows, bf16x3_group_rows) / bf16x3_side;
  const std::size_t value_tiles = plan.padded_values / bf16x3_side;
  KeyRange* ranges = nullptr;
  float* bias = nullptr;
  const auto carve = [&](simd::Carver memory) {
    operands_ = Operands<float>(plan, block, memory);
    rows_ = memory.take<float>((plan.expands_squares ? rows : bf16x3_group_rows) * plan.query_stride);
    queries_ = memory.take<std::uint16_t>(tiles_of_rows * steps_ * bf16x3_tile);
    query_starts_ = memory.take<float>(plan.expands_squares ? rows : 0);
    key_starts_ = memory.take<float>(plan.expands_squares ? keys_at_once : 0);
    keys_ = memory.take<std::uint16_t>((streams_ ? 0 : keys_at_once) / bf16x3_side * steps_ * bf16x3_tile);
    values_ = memory.take<std::uint16_t>((streams_ ? 0 : keys_at_once) / bf16x3_step * value_tiles * bf16x3_tile);
    for (std::uint16_t*& weights : weights_) weights = memory.take<std::uint16_t>(2 * tiles_next);
    for (float*& scores : scores_) scores = memory.take<float>(bf16x3_group_rows * score_stride);
    sums_ = memory.take<float>(bf16x3_group_rows * plan.padded_values);
    careful_values_ = memory.take<float>(bf16x3_step * plan.padded_values);
    careful_tiles_ = memory.take<std::uint16_t>(2 * value_tiles * bf16x3_tile);
    careful_sums_ = memory.take<float>(bf16x3_side * plan.padded_values);
    expands_ = memory.take<bool>(plan.expands_squares ? keys_at_once : 0);
    expanded_ = memory.take<std::size_t>(plan.expands_squares ? keys_at_once / panel : 0);
    exceptions_ = memory.take<float>((plan.expands_squares ? keys_at_once : 0) * plan.width);
    differences_ = memory.take<float>(plan.expands_squares ? bf16x3_group_rows * panel : 0);
    bias = memory.take<float>(plan.problem.mask.is_ranges_only() ? 0 : bf16x3_group_rows * key_block);
    state_ = take_state<float>(memory, rows, plan.padded_values);
    ranges = memory.take<KeyRange>(rows);
    return memory.used();
  };
  bytes_ = carve(simd::Carver());
  carve(simd::Carver(simd::scratch<Bf16x3Scratch>(bytes_)));
  masks_ = RowMasks<float>(plan, block, ranges, bias);
  split_queries();
  kernels_.begin();
}

void Bf16x3BlockOfRows::fetch_ahead(const RowBlock& next) {
  ahead_ = FetchAhead(plan_, block_, next, 1);
  next_ = next;
}

void Bf16x3BlockOfRows::split_queries() {
  const auto next = static_cast<std::ptrdiff_t>(steps_ * bf16x3_tile);
  for (std::size_t first = 0; first < block_.rows(); first += bf16x3_group_rows) {
    const std::size_t last = std::min(first + bf16x3_group_rows, block_.rows());
    float* const rows = rows_ + (plan_.expands_squares ? first * plan_.query_stride : 0);
    operands_.queries(first, last, rows);
    for (std::size_t r = first; r < last && plan_.expands_squares; ++r)
      query_starts_[r] = -2 * plan_.score_factor * rows[(r - first) * plan_.query_stride + plan_.width + 1];
    if (streams_) {
      simd::KeyPanel columns;
      columns.keys = rows;
      columns.stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
      columns.count = last;
      columns.depth = plan_.width;
      return kernels_.split_columns(columns, 1, queries_);
    }
    kernels_.split_rows(rows, static_cast<std::ptrdiff_t>(plan_.query_stride), last - first, plan_.width,
                        queries_ + first * steps_ * bf16x3_tile / bf16x3_side, next);
  }
}

/// psi of a panel of keys of the block; keeps the data that vectors need for the exceptions among them.
simd::KeyPanel Bf16x3BlockOfRows::take_panel(const Work& work, std::size_t panel) {
  const std::size_t width = plan_.kernels.panel_width, first = panel * width;
  simd::KeyPanel keys = operands_.panel(work.key + first, work.key + std::min(first + width, work.count));
  if (plan_.expands_squares) {
    // Sums start from the squares: a step of 32 for two coordinates would be a third of the products at a width of 64.
    keys.depth = plan_.width;
    const auto* const psi = static_cast<const float*>(keys.keys);
    for (std::size_t j = 0; j < width; ++j)
      key_starts_[first + j] = j < keys.count ? simd::bf16x3_key_scale * psi[j * plan_.query_stride + plan_.width] : 0;
    std::copy_n(operands_.expands(), keys.count, expands_ + first);
    expanded_[panel] = operands_.expanded();
    if (expanded_[panel] < keys.count) plan_.kernels.pack_keys(keys, exceptions_ + first * plan_.width);
  }
  return keys;
}

simd::Bf16x3Scores Bf16x3BlockOfRows::scores_of(const Work& work, std::size_t first, std::size_t last) const {
  simd::Bf16x3Scores scores;
  scores.queries = queries_ + work.group.first * steps_ * bf16x3_tile / bf16x3_side;
  scores.keys = keys_ + first / bf16x3_side * steps_ * bf16x3_tile;
  scores.rows = work.group.rows;
  scores.columns = last - first;
  scores.steps = steps_;
  if (plan_.expands_squares) scores.starts = key_starts_ + first;
  scores.scores = work.scores + first;
  scores.stride = score_stride;
  scores.maxima = work.scores + keys_at_once;
  return scores;
}

/// The factor of the scores.
float Bf16x3BlockOfRows::factor() const noexcept {
  return (plan_.expands_squares ? -2 * plan_.score_factor : 1) / simd::bf16x3_key_scale;
}

/// Scores of keys whose squares are not expanded, if there are any.
void Bf16x3BlockOfRows::score_exceptions(Work& work) {
  const std::size_t width = plan_.kernels.panel_width;
  for (std::size_t first = work.first; first < work.last; first += width) {
    const std::size_t count = std::min(width, work.count - first);
    if (!plan_.expands_squares || expanded_[first / width] == count) continue;
    if (!work.is_final)
      kernels_.finish_scores(work.scores + work.first, score_stride, work.group.rows, work.last - work.first, factor(),
                             query_starts_ + work.group.first);
    work.is_final = true;
    simd::ScoreGroup<float> part;
    part.queries = rows_ + work.group.first * plan_.query_stride + plan_.differing;
    part.query_stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
    part.keys = exceptions_ + first * plan_.width;
    part.rows = work.group.rows;
    part.depth = plan_.width;
    part.weights = plan_.weights();
    part.factor = plan_.score_factor;
    part.scores = differences_;
    part.stride = static_cast<std::ptrdiff_t>(width);
    replace_products(plan_, part, expands_ + first, count, work.scores + first, score_stride);
  }
}

/// Scores of few rows. Transformed keys come panel by panel.
void Bf16x3BlockOfRows::score_streamed(const Work& work) {
  const std::size_t width = plan_.transforms_keys ? plan_.kernels.panel_width : keys_at_once;
  for (std::size_t first = work.first; first < work.last; first += width) {
    const std::size_t last = std::min(first + width, work.last);
    const simd::KeyPanel keys = plan_.transforms_keys
                                    ? take_panel(work, first / width)
                                    : operands_.keys(work.key + first, work.key + std::min(last, work.count));
    simd::Bf16x3Scores scores = scores_of(work, first, last);
    if (!plan_.transforms_keys && is_last(work.key, work.count)) {
      const simd::Bf16x3Values after = values(work.key, work.first, work.count);
      scores.after = {after.values, after.stride, after.columns};
    }
    kernels_.stream_scores(keys, scores);
  }
}

/// Are these the last keys? Other keys follow the current ones in memory, and continuing there keeps the memory busier
/// than reading elsewhere between two blocks.
bool Bf16x3BlockOfRows::is_last(std::size_t key, std::size_t count) const noexcept {
  return key + count >= plan_.problem.first_key + plan_.problem.block_keys();
}

simd::Bf16x3Weights Bf16x3BlockOfRows::weights_of(Work& work, const RunningState<float>& state) {
  const RowGroup& group = work.group;
  simd::Bf16x3Weights weights;
  weights.rows.scores = work.scores + work.first;
  weights.rows.stride = score_stride;
  weights.rows.columns = work.last - work.first;
  work.excludes = masks_.limit(group, work.span, work.key, work.count, work.first, work.limits, weights.rows);
  work.excludes |= work.first != work.span.first || work.last != work.span.last;
  if (!work.is_final) weights.rows.maxima = work.scores + keys_at_once;
  weights.rows.softcap = plan_.softcap;
  weights.rows.maximum = state.maximum + group.first;
  weights.rows.total = state.total + group.first;
  weights.rows.keep = work.keep;
  weights.rows.add = work.add;
  weights.factor = work.is_final ? 1 : factor();
  if (plan_.expands_squares && !work.is_final) weights.starts = query_starts_ + group.first;
  weights.tiles = work.weights;
  weights.next = tiles_next;
  return weights;
}

void Bf16x3BlockOfRows::prepare(Work& work, const RowGroup& group, std::size_t key, std::size_t count) const {
  const std::size_t width = plan_.kernels.panel_width;
  work.group = group;
  work.span = masks_.span(group, key, count);
  work.key = key;
  work.count = count;
  work.first = work.span.first / width * width;
  work.last = round_up(work.span.last, width);
  work.is_final = false;
  for (std::size_t r = 0; r < group.rows; ++r)
    std::fill_n(work.scores + r * score_stride + keys_at_once, plan_.kernels.vector_width,
                -std::numeric_limits<float>::infinity());
}

bool Bf16x3BlockOfRows::attend(std::size_t first, std::size_t last, const RunningState<float>& state) {
  const KeyRange used = masks_.keys({first, last});
  if (used.first >= used.last) return false;
  const std::size_t count = used.last - first;
  if (!streams_) {
    const std::size_t width = plan_.kernels.panel_width, begin = (used.first - first) / width;
    Work all;
    all.key = first;
    all.count = count;
    for (std::size_t panel = begin; panel * width < count; ++panel)
      kernels_.split_columns(take_panel(all, panel), simd::bf16x3_key_scale,
                             keys_ + panel * width / bf16x3_side * steps_ * bf16x3_tile);
    kernels_.split_values(values(first, begin * width, count), values_ + begin * width / bf16x3_step * bf16x3_tile,
                          tiles_next);
  }
  if (streams_)
    attend_streamed(first, count, state);
  else
    attend_groups(first, count, state);
  return true;
}

void Bf16x3BlockOfRows::attend_streamed(std::size_t key, std::size_t count, const RunningState<float>& state) {
  Work work;
  work.scores = scores_[0];
  work.weights = weights_[0];
  prepare(work, {0, block_.rows()}, key, count);
  if (work.span.kind == TileKind::empty) return;
  score_streamed(work);
  score_exceptions(work);
  kernels_.advance({}, weights_of(work, state), {}, {});
  simd::Bf16x3Pool pool = pool_of(work);
  if (is_last(key, count)) {
    const TensorView& keys = plan_.problem.key;
    pool.after = {row_of(keys, next_.b, next_.g, 0), keys.strides[2], plan_.problem.sizes.key_width};
  }
  kernels_.stream_pool(values(key, work.first, count), pool);
  join(work, state);
}

/// While tiles multiply for the scores of one group and the pooling of another, vectors make weights for a third.
void Bf16x3BlockOfRows::attend_groups(std::size_t key, std::size_t count, const RunningState<float>& state) {
  const std::size_t calls = (block_.rows() + bf16x3_group_rows - 1) / bf16x3_group_rows + 2;  // at most
  Work works[3];
  const Work* weighed = nullptr;
  Work* scored = nullptr;
  for (std::size_t row = 0, at = 0;; ++at) {
    Work* next = nullptr;
    for (; row < block_.rows() && next == nullptr; row += bf16x3_group_rows) {
      Work& work = works[at % 3];
      work.scores = scores_[at % 2];
      work.weights = weights_[at % 2];
      prepare(work, {row, std::min(bf16x3_group_rows, block_.rows() - row)}, key, count);
      if (work.span.kind != TileKind::empty) next = &work;
    }
    if (next == nullptr && scored == nullptr && weighed == nullptr) return;
    kernels_.advance(next != nullptr ? scores_of(*next, next->first, next->last) : simd::Bf16x3Scores{},
                     scored != nullptr ? weights_of(*scored, state) : simd::Bf16x3Weights{},
                     weighed != nullptr ? pool_of(*weighed) : simd::Bf16x3Pool{}, ahead_.part(calls - at));
    if (next != nullptr) score_exceptions(*next);
    if (weighed != nullptr) join(*weighed, state);
    weighed = scored;
    scored = next;
  }
}

using simd::bf16x3_side;
using simd::bf16x3_step;
using simd::bf16x3_tile;

/// Values [first, last) of the block of keys that begins with `key`.
simd::Bf16x3Values Bf16x3BlockOfRows::values(std::size_t key, std::size_t first, std::size_t last) const {
  const AttentionProblem& problem = plan_.problem;
  return {row_of(problem.value, block_.b, block_.g, key + first - problem.first_key), plan_.storage,
          problem.value.strides[2], last - first, problem.sizes.value_width};
}

simd::Bf16x3Pool Bf16x3BlockOfRows::pool_of(const Work& work) const {
  simd::Bf16x3Pool pool;
  pool.weights = work.weights;
  pool.weights_next = tiles_next;
  pool.values = values_ + work.first / bf16x3_step * bf16x3_tile;
  pool.values_next = tiles_next;
  pool.rows = work.group.rows;
  pool.columns = plan_.padded_values;
  pool.steps = (work.last - work.first) / bf16x3_step;
  pool.sums = sums_;
  pool.stride = static_cast<std::ptrdiff_t>(plan_.padded_values);
  return pool;
}

void Bf16x3BlockOfRows::join(const Work& work, const RunningState<float>& state) {
  simd::Bf16x3Pooled pooled;
  pooled.sums = sums_;
  pooled.stride = static_cast<std::ptrdiff_t>(plan_.padded_values);
  pooled.rows = work.group.rows;
  pooled.columns = plan_.padded_values;
  pooled.out = state.out + work.group.first * plan_.padded_values;
  pooled.out_stride = pooled.stride;
  pooled.keep = work.keep;
  pooled.add = work.add;
  pooled.leaves_infinite = work.excludes;
  const std::uint32_t left = kernels_.join(pooled);
  for (std::size_t r = 0; r < work.group.rows; ++r)
    if ((left >> r & 1) != 0) pool_carefully(work, r, pooled);
}

/// Row r again, without the keys that take no part. For values that are NaN, infinite or beyond what pieces hold.
void Bf16x3BlockOfRows::pool_carefully(const Work& work, std::size_t r, simd::Bf16x3Pooled pooled) {
  const AttentionProblem& problem = plan_.problem;
  const std::size_t width = plan_.padded_values;
  simd::Bf16x3Pool pool;
  pool.weights_next = tiles_next;
  pool.values = careful_tiles_;
  pool.values_next = 2 * bf16x3_tile;  // values are filled up to two steps
  pool.rows = bf16x3_side;             // the tile that r lies in
  pool.columns = width;
  pool.steps = 1;
  pool.sums = careful_sums_;
  pool.stride = static_cast<std::ptrdiff_t>(width);
  for (std::size_t first = work.first; first < work.last; first += bf16x3_step) {
    pool.weights = work.weights + r / bf16x3_side * tiles_next + (first - work.first) / bf16x3_step * bf16x3_tile;
    const std::uint16_t* const weights = pool.weights + r % bf16x3_side * bf16x3_step;
    for (std::size_t j = 0; j < bf16x3_step; ++j) {
      float* const value = careful_values_ + j * width;
      // The first piece of a weight that takes no part is -0.
      const bool takes_part = first + j < work.count && weights[2 * (j % bf16x3_side) + j / bf16x3_side] >> 15 == 0;
      if (takes_part)
        plan_.kernels.pack_values(row_of(problem.value, block_.b, block_.g, work.key + first + j - problem.first_key),
                                  plan_.storage, problem.value.strides[2], 1, problem.sizes.value_width, value, width);
      else
        std::fill_n(value, width, 0.0f);
    }
    kernels_.split_values({careful_values_, simd::Storage::full, pool.stride, bf16x3_step, width}, careful_tiles_,
                          pool.values_next);
    pool.continues = first > work.first;
    kernels_.advance({}, {}, pool, {});
  }
  pooled.sums = careful_sums_ + r % bf16x3_side * width;
  pooled.rows = 1;
  pooled.out += r * width;
  pooled.keep += r;
  pooled.add += r;
  pooled.leaves_infinite = false;
  kernels_.join(pooled);
}

}  // namespace attn::fused
