#include <attn/attention/fused_block.hpp>

#include <attn/attention/score.hpp>

#include <algorithm>
#include <cmath>
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

/// x / |x| in place; the zero vector stays. Squares of f32 cannot overflow in f64.
void to_unit(double* x, std::size_t n) {
  double square = 0;
  for (std::size_t c = 0; c < n; ++c) square += x[c] * x[c];
  const double inverse = square == 0 ? 0 : 1 / std::sqrt(square);
  for (std::size_t c = 0; c < n; ++c) x[c] *= inverse;
}

struct BlockScratch;

}  // namespace

template <class T>
BlockOfRows<T>::BlockOfRows(const Plan<T>& plan, const RowBlock& block)
    : plan_(plan),
      block_(block),
      has_few_rows_(block.rows() <= group_limit),
      packs_as_needed_(has_few_rows_ || is_wide<T>(plan.width)),
      streams_keys_(has_few_rows_ && !plan.transforms_keys && plan.problem.score.kind != Score::gaussian),
      packs_values_(plan.padded_values != plan.problem.sizes.value_width ||
                    (plan.storage != simd::Storage::full && !has_few_rows_)),
      packs_columns_as_needed_(packs_values_ && is_wide<T>(plan.padded_values)) {
  const std::size_t rows = block.rows(), panel = plan.kernels.panel_width;
  const std::size_t held_keys = packs_as_needed_ ? panel : key_block;
  KeyRange* ranges = nullptr;
  T* bias = nullptr;
  const auto carve = [&](simd::Carver memory) {
    queries_ = memory.take<T>(rows * plan.query_stride);
    keys_ = memory.take<T>(held_keys * plan.width);
    packed_values_ =
        memory.take<T>(packs_values_ ? key_block * (packs_columns_as_needed_ ? panel : plan.padded_values) : 0);
    scores_ =
        memory.take<T>(std::min(tile_groups, (rows + group_limit - 1) / group_limit + 2) * group_limit * score_stride);
    bias = memory.take<T>(group_limit * key_block);
    staging_ = memory.take<T>((plan.transforms_keys ? panel : 0) * plan.width);
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
    if (plan_.is_plain && problem.dtype == dtype_of_v<T>) {
      plan_.kernels.scale(reinterpret_cast<const T*>(data), d_q, factor, packed);
      continue;
    }
    if (plan_.is_plain) {
      widen_row(data, problem.dtype, d_q, 1, packed);
    } else {
      widen_row(data, problem.dtype, d_q, 1, q.data());
      const bool is_cosine = problem.score.kind == Score::cosine;
      if (is_cosine)
        to_unit(q.data(), d_q);
      else
        phi(problem.score, problem.sizes, q.data(), phi_q.data());
      const double* const from = is_cosine ? q.data() : phi_q.data();
      for (std::size_t c = 0; c < plan_.width; ++c) packed[c] = static_cast<T>(from[c]);
    }
    plan_.kernels.scale(packed, plan_.width, factor, packed);
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

template <class T>
void BlockOfRows<T>::pack_panels(std::size_t key, std::size_t count, std::size_t first_panel, std::size_t last_panel) {
  const AttentionProblem& problem = plan_.problem;
  const std::size_t columns = plan_.kernels.panel_width;
  std::vector<double> k(plan_.transforms_keys ? problem.sizes.key_width : 0), psi_k(k.empty() ? 0 : plan_.width);
  for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
    const std::size_t first = key + panel * columns;
    simd::KeyPanel part = key_panel(first, std::min(first + columns, key + count));
    if (plan_.transforms_keys) {
      for (std::size_t j = 0; j < part.count; ++j) {
        widen_row(row_of(problem.key, block_.b, block_.g, first + j - problem.first_key), problem.dtype, k.size(), 1,
                  k.data());
        const bool is_cosine = problem.score.kind == Score::cosine;
        if (is_cosine)
          to_unit(k.data(), k.size());
        else
          psi(problem.score, problem.sizes, k.data(), psi_k.data());
        const double* const from = is_cosine ? k.data() : psi_k.data();
        for (std::size_t c = 0; c < plan_.width; ++c) staging_[j * plan_.width + c] = static_cast<T>(from[c]);
      }
      part.keys = staging_;
      part.stride = static_cast<std::ptrdiff_t>(plan_.width);
      part.storage = simd::Storage::full;
    }
    plan_.kernels.pack_keys(part, keys_ + (packs_as_needed_ ? 0 : panel) * columns * plan_.width);
  }
}

template <class T>
void BlockOfRows<T>::score_panels(const RowGroup& group, std::size_t first_panel, std::size_t last_panel, T* out,
                                  std::size_t stride) {
  simd::ScoreGroup<T> part;
  part.queries = queries_ + group.first * plan_.query_stride;
  part.query_stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
  part.keys = keys_ + (packs_as_needed_ ? 0 : first_panel) * plan_.kernels.panel_width * plan_.width;
  part.rows = group.rows;
  part.panels = last_panel - first_panel;
  part.depth = plan_.width;
  part.weights = plan_.additive_weights.data();
  part.factor = plan_.score_factor;
  part.scores = out;
  part.stride = static_cast<std::ptrdiff_t>(stride);
  switch (plan_.problem.score.kind) {
    case Score::gaussian: return plan_.kernels.gaussian_scores(part);
    case Score::additive: return plan_.kernels.additive_scores(part);
    default: return plan_.kernels.dot_scores(part);
  }
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
        score_panels(work->group, panel, panel + 1, scores_of(work) + panel * panel_width, score_stride);
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
      score_panels(group, panel, panel + 1, scores_, score_stride);
      for (std::size_t r = 0; r < group.rows; ++r)
        std::copy_n(scores_ + r * score_stride, columns, out + (group.first + r) * out_stride + column);
    });
  }
}

template class BlockOfRows<float>;
template class BlockOfRows<double>;

}  // namespace attn::fused
