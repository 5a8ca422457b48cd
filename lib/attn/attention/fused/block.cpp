#include <attn/attention/fused/block.hpp>

#include <attn/attention/inner/scores.hpp>

#include <algorithm>
#include <limits>

namespace attn::fused {
namespace {

/// Keys and values with more bytes than this in a block of keys are not packed as a whole.
constexpr std::size_t packed_bytes = std::size_t{2} << 20;

template <class T>
bool is_wide(std::size_t width) {
  return width * key_block * sizeof(T) > packed_bytes;
}

/// Lines of a panel of columns that are far apart map to few sets of the nearest cache, which holds few of them. The
/// wide panels of AVX-512 do not fit it in any case.
template <class T>
bool earns_packed_values(const Plan<T>& plan, const RowBlock& block) {
  constexpr std::size_t far_apart = 512, earning_rows = 192, nearest_cache = std::size_t{32} << 10;
  return block.rows() >= earning_rows && plan.kernels.panel_width * key_block * sizeof(T) <= nearest_cache &&
         plan.problem.sizes.value_width * sizeof(T) >= far_apart && !is_wide<T>(plan.padded_values);
}

/// Values up to this width are pooled in one call for each group of rows. A panel of wider ones has to stay in the
/// nearest cache while all groups of a tile use it.
template <class T>
bool is_narrow(std::size_t width) {
  return width * sizeof(T) <= 512;
}

template <class T>
struct BlockScratch;

}  // namespace

template <class T>
BlockOfRows<T>::BlockOfRows(const Plan<T>& plan, const RowBlock& block)
    : plan_(plan),
      block_(block),
      has_few_rows_(block.rows() <= group_limit),
      packs_as_needed_(has_few_rows_ || is_wide<T>(plan.depth)),
      streams_keys_(has_few_rows_ && !plan.transforms_keys && !plan.problem.score.has_distance()),
      packs_values_(plan.padded_values != plan.problem.sizes.value_width ||
                    (plan.storage != simd::Storage::full && !has_few_rows_) || earns_packed_values<T>(plan, block)),
      packs_columns_as_needed_(packs_values_ && is_wide<T>(plan.padded_values)),
      value_columns_((has_few_rows_ && !packs_columns_as_needed_) ||
                             (!packs_values_ && is_narrow<T>(plan.padded_values))
                         ? plan.padded_values
                         : plan.kernels.panel_width) {
  const std::size_t rows = block.rows(), panel = plan.kernels.panel_width;
  const std::size_t held_keys = packs_as_needed_ ? panel : key_block;
  KeyRange* ranges = nullptr;
  T* bias = nullptr;
  const auto carve = [&](simd::Carver memory) {
    queries_ = memory.take<T>(rows * plan.query_stride);
    keys_ = memory.take<T>(held_keys * plan.depth);
    packed_values_ = memory.take<T>(
        packs_values_ ? key_block * (packs_columns_as_needed_ ? value_columns_ : plan.padded_values) : 0);
    scores_ =
        memory.take<T>(std::min(tile_groups, (rows + group_limit - 1) / group_limit + 2) * group_limit * score_stride);
    bias = memory.take<T>(group_limit * key_block);
    operands_ = Operands<T>(plan, block, memory);
    const std::size_t expanded = plan.expands_squares ? key_block : 0;
    expands_ = memory.take<bool>(expanded);
    expanded_ = memory.take<std::size_t>(expanded / panel);
    differences_ = memory.take<T>(plan.expands_squares ? tile_groups * group_limit * panel : 0);
    state_ = take_state<T>(memory, rows, plan.padded_values);
    ranges = memory.take<KeyRange>(rows);
    return memory.used();
  };
  bytes_ = carve(simd::Carver());
  carve(simd::Carver(simd::scratch<BlockScratch<T>>(bytes_)));
  masks_ = RowMasks<T>(plan, block, ranges, bias);
  operands_.queries(0, rows, queries_);
}

template <class T>
void BlockOfRows<T>::fetch_ahead(const RowBlock& next) {
  const std::size_t groups = block_.rows() / group_limit + 1;
  const std::size_t panels = plan_.problem.block_keys() / plan_.kernels.panel_width +
                             plan_.padded_values / std::max(value_columns_, std::size_t{1}) + 1;
  ahead_ = FetchAhead(plan_, block_, next, groups * panels);
}

template <class T>
typename BlockOfRows<T>::Work BlockOfRows<T>::prepare(const RowGroup& group, std::size_t key, std::size_t count) const {
  Work work;
  work.group = group;
  work.keys = masks_.span(group, key, count);
  const std::size_t panel_width = plan_.kernels.panel_width;
  work.first_panel = work.keys.first / panel_width;
  work.last_panel = (work.keys.last + panel_width - 1) / panel_width;
  return work;
}

template <class T>
void BlockOfRows<T>::attend_tile(Work* begin, Work* end, std::size_t key, std::size_t count,
                                 const RunningState<T>& state) {
  // A panel of keys, then a panel of columns of values, stays in the nearest cache while all groups of the tile use it;
  // the scores of the tile stay in the next one.
  const std::size_t panel_width = plan_.kernels.panel_width;
  std::size_t first_panel = key_block, last_panel = 0;
  for (Work* work = begin; work != end && plan_.needs_scores(); ++work) {
    first_panel = std::min(first_panel, work->first_panel);
    last_panel = std::max(last_panel, work->last_panel);
  }
  const auto scores_of = [&](const Work* work) { return scores_ + (work - begin) * group_limit * score_stride; };
  if (streams_keys_ && plan_.needs_scores()) {
    for (Work* work = begin; work != end; ++work) {
      simd::ScoreGroup<T> part;
      part.queries = queries_ + work->group.first * plan_.query_stride;
      part.query_stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
      part.rows = work->group.rows;
      part.scores = scores_of(work) + work->first_panel * panel_width;
      part.stride = score_stride;
      plan_.kernels.stream_scores(operands_.keys(key + work->first_panel * panel_width, key + work->keys.last), part);
    }
    first_panel = last_panel;
  }
  for (Work* work = begin; work != end; ++work) {
    work->has_maxima = first_panel < last_panel;
    for (std::size_t r = 0; r < work->group.rows; ++r)
      std::fill_n(scores_of(work) + r * score_stride + key_block, plan_.kernels.vector_width,
                  -std::numeric_limits<T>::infinity());
  }
  for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
    if (packs_as_needed_) pack_panels(key, count, panel, panel + 1);
    const auto uses_panel = [&](const Work& work) { return panel >= work.first_panel && panel < work.last_panel; };
    for (Work* work = begin; work != end;) {
      // Consecutive groups are computed together.
      RowGroup rows{work->group.first, 0};
      Work* next = work;
      for (; next != end && uses_panel(*next) && next->group.first == rows.first + rows.rows &&
             rows.rows == static_cast<std::size_t>(next - work) * group_limit;
           ++next) {
        ahead_.step();
        rows.rows += next->group.rows;
      }
      if (next != work) {
        const bool keeps_maxima = score_panel(
            rows, panel, std::min(panel_width, count - panel * panel_width), scores_of(work) + panel * panel_width,
            score_stride, plan_.problem.normalize == Normalize::softmax ? scores_of(work) + key_block : nullptr);
        for (Work* scored = work; scored != next; ++scored) scored->has_maxima &= keeps_maxima;
      }
      work = std::max(next, work + 1);
    }
  }
  for (Work* work = begin; work != end; ++work) weigh(*work, key, count, scores_of(work), state);
  for (std::size_t column = 0; column < plan_.padded_values && begin != end; column += value_columns_) {
    const std::size_t columns = std::min(value_columns_, plan_.padded_values - column);
    if (packs_columns_as_needed_) pack_values(count, column, columns);
    for (Work* work = begin; work != end; ++work) {
      ahead_.step();
      pool(*work, column, columns, scores_of(work), state);
    }
  }
}

template <class T>
bool BlockOfRows<T>::attend(std::size_t first, std::size_t last, const RunningState<T>& state) {
  const auto [begin, end] = masks_.keys({first, last});
  if (begin >= end) return false;
  const std::size_t panel_width = plan_.kernels.panel_width, count = end - first;
  use_values(first);
  if (packs_values_ && !packs_columns_as_needed_)
    for (std::size_t column = 0; column < plan_.padded_values; column += value_columns_)
      pack_values(count, column, std::min(value_columns_, plan_.padded_values - column));
  if (!packs_as_needed_ && plan_.needs_scores())
    pack_panels(first, count, (begin - first) / panel_width, (count + panel_width - 1) / panel_width);
  Work tile[tile_groups];
  std::size_t groups = 0;
  for (RowGroup group = group_from(0); group.rows > 0; group = group_from(group.first + group.rows)) {
    tile[groups] = prepare(group, first, count);
    if (tile[groups].keys.kind != TileKind::empty) ++groups;
    if (groups < tile_groups) continue;
    attend_tile(tile, tile + groups, first, count, state);
    groups = 0;
  }
  attend_tile(tile, tile + groups, first, count, state);
  return true;
}

namespace {

/// Scores -|u|^2 of `columns` keys become -|u|.
template <class T>
void take_roots(const simd::MathKernels<T>& math, const simd::ScoreGroup<T>& g, std::size_t columns) {
  for (std::size_t r = 0; r < g.rows; ++r) {
    T* const row = g.scores + static_cast<std::ptrdiff_t>(r) * g.stride;
    math.minus_root(row, row, columns);
  }
}

}  // namespace

template <class T>
void BlockOfRows<T>::pack_panels(std::size_t key, std::size_t count, std::size_t first_panel, std::size_t last_panel) {
  const std::size_t columns = plan_.kernels.panel_width;
  for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
    const std::size_t first = key + panel * columns;
    const simd::KeyPanel part = operands_.panel(first, std::min(first + columns, key + count));
    if (plan_.expands_squares) {
      std::copy_n(operands_.expands(), part.count, expands_ + panel * columns);
      expanded_[panel] = operands_.expanded();
    }
    plan_.kernels.pack_keys(part, keys_ + (packs_as_needed_ ? 0 : panel) * columns * plan_.depth);
  }
}

template <class T>
bool BlockOfRows<T>::score_panel(const RowGroup& group, std::size_t panel, std::size_t count, T* out,
                                 std::size_t stride, T* maxima) {
  const std::size_t columns = plan_.kernels.panel_width;
  simd::ScoreGroup<T> part;
  part.queries = queries_ + group.first * plan_.query_stride;
  part.query_stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
  part.keys = keys_ + (packs_as_needed_ ? 0 : panel) * columns * plan_.depth;
  part.rows = group.rows;
  part.depth = plan_.width;
  part.columns = count;
  part.weights = plan_.weights();
  part.factor = plan_.score_factor;
  part.scores = out;
  part.stride = static_cast<std::ptrdiff_t>(stride);
  part.maxima = maxima;
  const Score kind = plan_.problem.score.kind;
  if (kind == Score::additive) return plan_.kernels.additive_scores(part), false;
  if (!plan_.problem.score.has_distance()) {
    (plan_.score_factor == 1 ? plan_.kernels.dot_scores : plan_.kernels.product_scores)(part);
    return true;
  }
  if (plan_.problem.score.is_root) {
    part.maxima = nullptr;
    plan_.kernels.gaussian_scores(part);
    return take_roots(plan_.math, part, columns), false;
  }
  simd::ScoreGroup<T> product = part;
  part.queries += plan_.differing;
  if (!plan_.expands_squares || expanded_[panel] == 0) return plan_.kernels.gaussian_scores(part), true;
  product.depth = plan_.depth;
  product.factor = -2 * plan_.score_factor;
  plan_.kernels.product_scores(product);
  if (expanded_[panel] == count) return true;
  part.scores = differences_;
  part.stride = static_cast<std::ptrdiff_t>(columns);
  part.maxima = nullptr;
  replace_products(plan_, part, expands_ + panel * columns, count, out, static_cast<std::ptrdiff_t>(stride));
  return false;
}

template <class T>
void BlockOfRows<T>::smooth(std::size_t rows, T* squares, std::size_t columns) const {
  const ScoreRule& rule = plan_.problem.score;
  for (std::size_t r = 0; r < rows && rule.kind == Score::kernel; ++r)
    plan_.kernels.smooth({rule.kernel, rule.bandwidth, rule.scale}, squares + r * score_stride, columns);
}

template <class T>
void BlockOfRows<T>::scores(std::size_t first, std::size_t last, T* out, std::size_t out_stride) {
  const std::size_t panel_width = plan_.kernels.panel_width;
  const std::size_t panels = (last - first + panel_width - 1) / panel_width;
  if (!packs_as_needed_) pack_panels(first, last - first, 0, panels);
  for (std::size_t panel = 0; panel < panels; ++panel) {
    if (packs_as_needed_) pack_panels(first, last - first, panel, panel + 1);
    const std::size_t column = panel * panel_width, columns = std::min(panel_width, last - first - column);
    for (RowGroup group = group_from(0); group.rows > 0; group = group_from(group.first + group.rows)) {
      score_panel(group, panel, columns, scores_, score_stride, nullptr);
      smooth(group.rows, scores_, panel_width);
      for (std::size_t r = 0; r < group.rows; ++r)
        std::copy_n(scores_ + r * score_stride, columns, out + (group.first + r) * out_stride + column);
    }
  }
}

template <class T>
void BlockOfRows<T>::weigh(Work& work, std::size_t key, std::size_t count, T* scores, const RunningState<T>& state) {
  const std::size_t panel_width = plan_.kernels.panel_width;
  const std::size_t origin = work.first_panel * panel_width;  // columns begin here
  RowLimits<T, group_limit> limits;
  simd::WeightRows<T> weights;
  weights.scores = scores + origin;
  weights.stride = score_stride;
  weights.columns = (work.last_panel - work.first_panel) * panel_width;
  work.excludes = masks_.limit(work.group, work.keys, key, count, origin, limits, weights);
  if (work.has_maxima) weights.maxima = scores + key_block;
  weights.softcap = plan_.softcap;
  weights.maximum = state.maximum + work.group.first;
  weights.total = state.total + work.group.first;
  weights.keep = work.keep;
  weights.add = work.add;
  if (plan_.problem.normalize == Normalize::softmax) return plan_.kernels.weights(weights);
  if (plan_.needs_scores()) smooth(work.group.rows, weights.scores, weights.columns);
  plan_.kernels.plain_weights(weights, plan_.plain_weight());
}

template <class T>
void BlockOfRows<T>::use_values(std::size_t key) {
  const AttentionProblem& problem = plan_.problem;
  values_ = row_of(problem.value, block_.b, block_.g, key - problem.first_key);
}

template <class T>
T* BlockOfRows<T>::packed_columns(std::size_t column) const noexcept {
  return packed_values_ + (packs_columns_as_needed_ ? 0 : column * key_block);
}

template <class T>
void BlockOfRows<T>::pack_values(std::size_t count, std::size_t column, std::size_t columns) {
  const AttentionProblem& problem = plan_.problem;
  plan_.kernels.pack_values(values_ + column * element_size(problem.dtype), plan_.storage, problem.value.strides[2],
                            count, std::min(columns, problem.sizes.value_width - column), packed_columns(column),
                            columns);
}

template <class T>
void BlockOfRows<T>::pool(const Work& work, std::size_t column, std::size_t columns, const T* weights,
                          const RunningState<T>& state) const {
  simd::PoolGroup<T> part;
  part.weights = weights + work.keys.first;
  part.weights_stride = score_stride;
  if (packs_values_) {
    part.values = packed_columns(column) + work.keys.first * columns;
    part.values_stride = static_cast<std::ptrdiff_t>(columns);
  } else {
    const TensorView& value = plan_.problem.value;
    part.storage = plan_.storage;
    part.values_stride = value.strides[2];
    part.values = values_ + (static_cast<std::ptrdiff_t>(work.keys.first) * part.values_stride +
                             static_cast<std::ptrdiff_t>(column)) *
                                static_cast<std::ptrdiff_t>(element_size(value.dtype));
  }
  part.rows = work.group.rows;
  part.count = work.keys.last - work.keys.first;
  part.columns = columns;
  part.out = state.out + work.group.first * plan_.padded_values + column;
  part.out_stride = static_cast<std::ptrdiff_t>(plan_.padded_values);
  part.keep = work.keep;
  part.add = work.add;
  part.streams = has_few_rows_ && !packs_values_;
  part.excludes = work.excludes;
  plan_.kernels.pool(part);
}

template class BlockOfRows<float>;
template class BlockOfRows<double>;

}  // namespace attn::fused
