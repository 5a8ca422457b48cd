#include <attn/attention/fused_block.hpp>

#include <attn/attention/score.hpp>

#include <algorithm>
#include <limits>

namespace attn::fused {
namespace {

/// Rows of scores do not start in the same sets of the cache.
constexpr std::size_t score_stride = key_block + 16;

/// Wider keys and values than these bytes for a block of keys are not packed as a whole.
constexpr std::size_t packed_bytes = std::size_t{2} << 20;

template <class T>
bool is_wide(std::size_t width) {
  return width * key_block * sizeof(T) > packed_bytes;
}

/// out = factor x, each product rounded once.
template <class To>
void widen_row(const unsigned char* row, DType dtype, std::size_t n, double factor, To* out) {
  const auto copy = [&](auto element) {
    const auto* from = reinterpret_cast<const decltype(element)*>(row);
    for (std::size_t c = 0; c < n; ++c) out[c] = static_cast<To>(real(from[c]) * factor);
  };
  if (dtype == DType::f64) return copy(double{});
  if (dtype == DType::f32) return copy(float{});
  if (dtype == DType::f16) return copy(Float16{});
  copy(BFloat16{});
}

struct BlockScratch;

}  // namespace

template <class T>
BlockOfRows<T>::BlockOfRows(const Plan<T>& plan, const RowBlock& block)
    : plan_(plan),
      block_(block),
      has_few_rows_(block.rows() <= group_limit),
      packs_as_needed_(has_few_rows_ || is_wide<T>(plan.depth)),
      streams_keys_(has_few_rows_ && !plan.transforms_keys && plan.problem.score.kind != Score::gaussian),
      packs_values_(plan.padded_values != plan.problem.sizes.value_width ||
                    (plan.storage != simd::Storage::full && !has_few_rows_)),
      packs_columns_as_needed_(packs_values_ && is_wide<T>(plan.padded_values)) {
  staging_stride_ = plan.query_stride;
  const std::size_t rows = block.rows(), panel = plan.kernels.panel_width;
  const std::size_t held_keys = packs_as_needed_ ? panel : key_block;
  KeyRange* ranges = nullptr;
  T* bias = nullptr;
  const auto carve = [&](simd::Carver memory) {
    queries_ = memory.take<T>(rows * plan.query_stride);
    keys_ = memory.take<T>(held_keys * plan.depth);
    packed_values_ =
        memory.take<T>(packs_values_ ? key_block * (packs_columns_as_needed_ ? panel : plan.padded_values) : 0);
    scores_ =
        memory.take<T>(std::min(tile_groups, (rows + group_limit - 1) / group_limit + 2) * group_limit * score_stride);
    bias = memory.take<T>(group_limit * key_block);
    staging_ = memory.take<T>((plan.transforms_keys ? panel : 0) * staging_stride_);
    const std::size_t expanded = plan.expands_squares ? key_block : 0;
    expands_ = memory.take<bool>(expanded);
    expanded_ = memory.take<std::size_t>(expanded / panel);
    differences_ = memory.take<T>(plan.expands_squares ? group_limit * panel : 0);
    state_.maximum = memory.take<T>(rows);
    state_.total = memory.take<T>(rows);
    state_.out = memory.take<T>(rows * plan.padded_values);
    ranges = memory.take<KeyRange>(rows);
    return memory.used();
  };
  bytes_ = carve(simd::Carver());
  carve(simd::Carver(simd::scratch<BlockScratch>(bytes_)));
  masks_ = RowMasks<T>(plan, block, ranges, bias);
  pack_queries();
}

template <class T>
template <class Visitor>
void BlockOfRows<T>::for_groups(Visitor&& visit) const {
  for (std::size_t first = 0, rows; first < block_.rows(); first += rows) {
    const std::size_t left = block_.rows() - first;
    rows = left >= 6 ? 6 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
    visit(RowGroup{first, rows});
  }
}

template <class T>
void BlockOfRows<T>::pack_queries() {
  const AttentionProblem& problem = plan_.problem;
  const std::size_t d_q = problem.sizes.query_width;
  const T factor = static_cast<T>(plan_.query_factor);
  std::vector<double> q(plan_.is_plain ? 0 : d_q), phi_q(plan_.is_plain ? 0 : plan_.width);
  for (std::size_t r = 0; r < block_.rows(); ++r) {
    const auto* const data = row_of(problem.query, block_.b, plan_.head(block_, r), plan_.query(block_, r));
    T* const packed = queries_ + r * plan_.query_stride;
    if (plan_.is_plain && problem.dtype == dtype_of_v<T> && !plan_.expands_squares) {
      plan_.kernels.scale(reinterpret_cast<const T*>(data), d_q, factor, packed);
      continue;
    }
    if (plan_.is_plain || problem.score.kind == Score::cosine) {
      widen_row(data, problem.dtype, d_q, 1, packed);
      if (problem.score.kind == Score::cosine) plan_.kernels.to_unit(packed, d_q);
    } else {
      widen_row(data, problem.dtype, d_q, 1, q.data());
      phi(problem.score, problem.sizes, q.data(), phi_q.data());
      for (std::size_t c = 0; c < plan_.width; ++c) packed[c] = static_cast<T>(phi_q[c]);
    }
    plan_.kernels.scale(packed, plan_.width, factor, packed);
    if (!plan_.expands_squares) continue;
    packed[plan_.width] = 1;
    packed[plan_.width + 1] = static_cast<T>(-0.5 * plan_.kernels.square(packed, plan_.width));
  }
}

template <class T>
void BlockOfRows<T>::fetch_ahead(const RowBlock& next) {
  const std::size_t groups = block_.rows() / group_limit + 1, panel_width = plan_.kernels.panel_width;
  const std::size_t panels = (plan_.problem.block_keys() + plan_.padded_values) / panel_width + 1;
  ahead_ = FetchAhead(plan_, block_, next, groups * panels);
}

template <class T>
void BlockOfRows<T>::use_values(std::size_t key) {
  const AttentionProblem& problem = plan_.problem;
  values_ = row_of(problem.value, block_.b, block_.g, key - problem.first_key);
  values_stride_ = problem.value.strides[2];
}

template <class T>
void BlockOfRows<T>::pack_values(std::size_t key, std::size_t count, std::size_t column, std::size_t columns) {
  const AttentionProblem& problem = plan_.problem;
  const unsigned char* const data = row_of(problem.value, block_.b, block_.g, key - problem.first_key);
  plan_.kernels.pack_values(data + column * element_size(problem.dtype), plan_.storage, problem.value.strides[2], count,
                            std::min(columns, problem.sizes.value_width - column), packed_values_, columns);
  values_ = reinterpret_cast<const unsigned char*>(packed_values_);
  values_stride_ = static_cast<std::ptrdiff_t>(columns);
  values_column_ = column;
}

template <class T>
simd::KeyPanel BlockOfRows<T>::key_panel(std::size_t first, std::size_t last) const {
  const AttentionProblem& problem = plan_.problem;
  simd::KeyPanel panel;
  panel.keys = row_of(problem.key, block_.b, block_.g, first - problem.first_key);
  panel.stride = problem.key.strides[2];
  panel.storage = plan_.storage;
  panel.count = last - first;
  panel.depth = plan_.width;
  return panel;
}

/// psi of the panel's keys, the first of which is key `first`, in the staging space.
template <class T>
void BlockOfRows<T>::transform(simd::KeyPanel& panel, std::size_t first) {
  const AttentionProblem& problem = plan_.problem;
  const std::size_t d_k = problem.sizes.key_width;
  if (problem.score.kind == Score::cosine || plan_.is_plain) {
    plan_.kernels.pack_values(panel.keys, plan_.storage, panel.stride, panel.count, d_k, staging_, staging_stride_);
    for (std::size_t j = 0; j < panel.count && !plan_.is_plain; ++j)
      plan_.kernels.to_unit(staging_ + j * staging_stride_, d_k);
  } else {
    std::vector<double> k(d_k), psi_k(plan_.width);
    for (std::size_t j = 0; j < panel.count; ++j) {
      widen_row(row_of(problem.key, block_.b, block_.g, first + j - problem.first_key), problem.dtype, d_k, 1,
                k.data());
      psi(problem.score, problem.sizes, k.data(), psi_k.data());
      for (std::size_t c = 0; c < plan_.width; ++c) staging_[j * staging_stride_ + c] = static_cast<T>(psi_k[c]);
    }
  }
  panel.keys = staging_;
  panel.stride = static_cast<std::ptrdiff_t>(staging_stride_);
  panel.storage = simd::Storage::full;
}

/// Adds what expanded squares need to the panel's keys, and decides which of them are.
template <class T>
void BlockOfRows<T>::expand(const simd::KeyPanel& keys, std::size_t panel) {
  bool* const expands = expands_ + panel * plan_.kernels.panel_width;
  expanded_[panel] = 0;
  for (std::size_t j = 0; j < keys.count; ++j) {
    T* const key = staging_ + j * staging_stride_;
    const double square = plan_.kernels.square(key, plan_.width);
    expands[j] = square <= plan_.expanded_limit;
    expanded_[panel] += expands[j] ? 1 : 0;
    key[plan_.width] = static_cast<T>(-0.5 * square);
    key[plan_.width + 1] = 1;
  }
}

template <class T>
void BlockOfRows<T>::pack_panels(std::size_t key, std::size_t count, std::size_t first_panel, std::size_t last_panel) {
  const std::size_t columns = plan_.kernels.panel_width;
  for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
    const std::size_t first = key + panel * columns;
    simd::KeyPanel part = key_panel(first, std::min(first + columns, key + count));
    if (plan_.transforms_keys) transform(part, first);
    if (plan_.expands_squares) expand(part, panel);
    part.depth = plan_.depth;
    plan_.kernels.pack_keys(part, keys_ + (packs_as_needed_ ? 0 : panel) * columns * plan_.depth);
  }
}

template <class T>
void BlockOfRows<T>::score_panel(const RowGroup& group, std::size_t panel, std::size_t count, T* out,
                                 std::size_t stride) {
  const std::size_t columns = plan_.kernels.panel_width;
  simd::ScoreGroup<T> part;
  part.queries = queries_ + group.first * plan_.query_stride;
  part.query_stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
  part.keys = keys_ + (packs_as_needed_ ? 0 : panel) * columns * plan_.depth;
  part.rows = group.rows;
  part.panels = 1;
  part.depth = plan_.width;
  part.weights = plan_.additive_weights.data();
  part.factor = plan_.score_factor;
  part.scores = out;
  part.stride = static_cast<std::ptrdiff_t>(stride);
  const Score kind = plan_.problem.score.kind;
  if (kind == Score::additive) return plan_.kernels.additive_scores(part);
  if (kind != Score::gaussian) return plan_.kernels.dot_scores(part);
  if (!plan_.expands_squares || expanded_[panel] == 0) return plan_.kernels.gaussian_scores(part);
  simd::ScoreGroup<T> product = part;
  product.depth = plan_.depth;
  product.factor = -2 * plan_.score_factor;
  plan_.kernels.product_scores(product);
  if (expanded_[panel] == count) return;
  part.scores = differences_;
  part.stride = static_cast<std::ptrdiff_t>(columns);
  plan_.kernels.gaussian_scores(part);
  const bool* const expands = expands_ + panel * columns;
  for (std::size_t r = 0; r < group.rows; ++r)
    for (std::size_t j = 0; j < count; ++j)
      if (!expands[j]) out[r * stride + j] = differences_[r * columns + j];
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
void BlockOfRows<T>::weigh(Work& work, std::size_t key, std::size_t count, T* scores, const RunningState<T>& state) {
  const std::size_t panel_width = plan_.kernels.panel_width;
  const std::size_t origin = work.first_panel * panel_width;  // columns begin here
  RowLimits<T, group_limit> limits;
  simd::WeightRows<T> weights;
  weights.scores = scores + origin;
  weights.stride = score_stride;
  weights.columns = (work.last_panel - work.first_panel) * panel_width;
  work.excludes = masks_.limit(work.group, work.keys, key, count, origin, limits, weights);
  weights.softcap = plan_.softcap;
  weights.maximum = state.maximum + work.group.first;
  weights.total = state.total + work.group.first;
  weights.keep = work.keep;
  weights.add = work.add;
  plan_.kernels.weights(weights);
}

template <class T>
void BlockOfRows<T>::pool(const Work& work, std::size_t column, std::size_t columns, const T* weights,
                          const RunningState<T>& state) const {
  simd::PoolGroup<T> part;
  part.weights = weights + work.keys.first;
  part.weights_stride = score_stride;
  part.storage = packs_values_ ? simd::Storage::full : plan_.storage;
  const std::size_t size = packs_values_ ? sizeof(T) : element_size(plan_.problem.dtype);
  part.values = values_ + (static_cast<std::ptrdiff_t>(work.keys.first) * values_stride_ +
                           static_cast<std::ptrdiff_t>(column - values_column_)) *
                              static_cast<std::ptrdiff_t>(size);
  part.values_stride = values_stride_;
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

template <class T>
void BlockOfRows<T>::attend_tile(Work* begin, Work* end, std::size_t key, std::size_t count,
                                 const RunningState<T>& state) {
  // A panel of keys, then a panel of columns of values, stays in the nearest cache while all groups of the tile use it;
  // the scores of the tile stay in the next one.
  const std::size_t panel_width = plan_.kernels.panel_width;
  std::size_t first_panel = key_block, last_panel = 0;
  for (Work* work = begin; work != end; ++work) {
    first_panel = std::min(first_panel, work->first_panel);
    last_panel = std::max(last_panel, work->last_panel);
  }
  const auto scores_of = [&](const Work* work) { return scores_ + (work - begin) * group_limit * score_stride; };
  if (streams_keys_) {
    for (Work* work = begin; work != end; ++work) {
      simd::ScoreGroup<T> part;
      part.queries = queries_ + work->group.first * plan_.query_stride;
      part.query_stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
      part.rows = work->group.rows;
      part.scores = scores_of(work) + work->first_panel * panel_width;
      part.stride = score_stride;
      plan_.kernels.stream_scores(key_panel(key + work->first_panel * panel_width, key + work->keys.last), part);
    }
    first_panel = last_panel;
  }
  for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
    if (packs_as_needed_) pack_panels(key, count, panel, panel + 1);
    for (Work* work = begin; work != end; ++work)
      if (panel >= work->first_panel && panel < work->last_panel) {
        ahead_.step();
        score_panel(work->group, panel, std::min(panel_width, count - panel * panel_width),
                    scores_of(work) + panel * panel_width, score_stride);
      }
  }
  for (Work* work = begin; work != end; ++work) weigh(*work, key, count, scores_of(work), state);
  const std::size_t step = has_few_rows_ && !packs_columns_as_needed_ ? plan_.padded_values : panel_width;
  for (std::size_t column = 0; column < plan_.padded_values && begin != end; column += step) {
    const std::size_t columns = std::min(step, plan_.padded_values - column);
    if (packs_columns_as_needed_) pack_values(key, count, column, columns);
    for (Work* work = begin; work != end; ++work) {
      ahead_.step();
      pool(*work, column, columns, scores_of(work), state);
    }
  }
}

template <class T>
void BlockOfRows<T>::attend(std::size_t first, std::size_t last, const RunningState<T>& state) {
  const auto [begin, end] = masks_.keys({first, last});
  if (begin >= end) return;
  const std::size_t panel_width = plan_.kernels.panel_width, count = end - first;
  if (!packs_values_)
    use_values(first);
  else if (!packs_columns_as_needed_)
    pack_values(first, count, 0, plan_.padded_values);
  if (!packs_as_needed_)
    pack_panels(first, count, (begin - first) / panel_width, (count + panel_width - 1) / panel_width);
  Work tile[tile_groups];
  std::size_t groups = 0;
  for_groups([&](const RowGroup& group) {
    tile[groups] = prepare(group, first, count);
    if (tile[groups].keys.kind != TileKind::empty) ++groups;
    if (groups < tile_groups) return;
    attend_tile(tile, tile + groups, first, count, state);
    groups = 0;
  });
  attend_tile(tile, tile + groups, first, count, state);
}

template <class T>
void BlockOfRows<T>::scores(std::size_t first, std::size_t last, T* out, std::size_t out_stride) {
  const std::size_t panel_width = plan_.kernels.panel_width;
  const std::size_t panels = (last - first + panel_width - 1) / panel_width;
  if (!packs_as_needed_) pack_panels(first, last - first, 0, panels);
  for (std::size_t panel = 0; panel < panels; ++panel) {
    if (packs_as_needed_) pack_panels(first, last - first, panel, panel + 1);
    const std::size_t column = panel * panel_width, columns = std::min(panel_width, last - first - column);
    for_groups([&](const RowGroup& group) {
      score_panel(group, panel, columns, scores_, score_stride);
      for (std::size_t r = 0; r < group.rows; ++r)
        std::copy_n(scores_ + r * score_stride, columns, out + (group.first + r) * out_stride + column);
    });
  }
}

template class BlockOfRows<float>;
template class BlockOfRows<double>;

}  // namespace attn::fused
