#include <attn/attention/fused_block.hpp>

#include <attn/attention/score.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::fused {
namespace {

/// Rows of scores do not start in the same sets of the cache.
constexpr std::size_t score_stride = key_block + 16;

std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

simd::Storage storage_of(DType dtype) {
  if (dtype == DType::f16) return simd::Storage::half;
  return dtype == DType::bf16 ? simd::Storage::bfloat : simd::Storage::full;
}

/// First element of x(b, h, i, :).
const unsigned char* row_of(const TensorView& x, std::size_t b, std::size_t h, std::size_t i) {
  const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(b) * x.strides[0] +
                                static_cast<std::ptrdiff_t>(h) * x.strides[1] +
                                static_cast<std::ptrdiff_t>(i) * x.strides[2];
  return static_cast<const unsigned char*>(x.data) + offset * static_cast<std::ptrdiff_t>(element_size(x.dtype));
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
Plan<T>::Plan(const AttentionProblem& p, Isa isa, double unit)
    : problem(p),
      kernels(simd::kernels(isa).attention<T>()),
      storage(storage_of(p.dtype)),
      width(pair_width(p.score, p.sizes)),
      padded_values(round_up(p.sizes.value_width, kernels.vector_width)) {
  const Score kind = p.score.kind;
  const bool is_product = kind != Score::gaussian && kind != Score::additive;
  const std::vector<double>& inverse = p.score.inverse_widths;
  const bool has_one_width =
      kind == Score::gaussian && !inverse.empty() &&
      std::count(inverse.begin(), inverse.end(), inverse.front()) == static_cast<std::ptrdiff_t>(inverse.size());
  is_plain = kind == Score::scaled_dot || kind == Score::dot || has_one_width;
  transforms_keys = kind == Score::cosine || kind == Score::additive || (kind == Score::gaussian && !has_one_width);
  query_factor = is_product ? p.score.scale / unit : 1;
  score_factor = static_cast<T>(is_product ? 1 : p.score.scale / unit * (kind == Score::gaussian ? -0.5 : 1));
  if (has_one_width) score_factor = static_cast<T>(p.score.scale / unit * -0.5 * inverse.front() * inverse.front());
  softcap = static_cast<T>(p.score.softcap / unit);
  if (kind == Score::additive) {
    const auto* const w = static_cast<const double*>(p.score.score_weight.data);
    additive_weights.assign(w, w + width);
  }
}

template <class T>
BlockOfRows<T>::BlockOfRows(const Plan<T>& plan, const RowBlock& block)
    : plan_(plan),
      block_(block),
      packs_as_needed_(block.rows() <= group_limit),
      streams_keys_(packs_as_needed_ && !plan.transforms_keys && plan.problem.score.kind != Score::gaussian),
      packs_values_(plan.padded_values != plan.problem.sizes.value_width ||
                    (plan.storage != simd::Storage::full && !packs_as_needed_)) {
  const std::size_t rows = block.rows(), panel = plan.kernels.panel_width;
  const std::size_t held_keys = packs_as_needed_ ? panel : key_block;
  const auto carve = [&](simd::Carver memory) {
    queries_ = memory.take<T>(rows * plan.width);
    keys_ = memory.take<T>(held_keys * plan.width);
    packed_values_ = memory.take<T>(packs_values_ ? key_block * plan.padded_values : 0);
    scores_ =
        memory.take<T>(std::min(tile_groups, (rows + group_limit - 1) / group_limit + 2) * group_limit * score_stride);
    bias_ = memory.take<T>(group_limit * key_block);
    staging_ = memory.take<T>((plan.transforms_keys ? std::max(panel, group_limit) : group_limit) * plan.width);
    state_.maximum = memory.take<T>(rows);
    state_.total = memory.take<T>(rows);
    state_.out = memory.take<T>(rows * plan.padded_values);
    ranges_ = memory.take<KeyRange>(rows);
    return memory.used();
  };
  const std::size_t bytes = carve(simd::Carver());
  carve(simd::Carver(simd::scratch<BlockScratch>(bytes)));
  for (std::size_t r = 0; r < rows; ++r)
    ranges_[r] = plan.problem.mask.keys(block.b, plan.head(block, r), plan.query(block, r));
  pack_queries();
}

template <class T>
void BlockOfRows<T>::clear(const RunningState<T>& state) const {
  const std::size_t rows = block_.rows();
  std::fill_n(state.maximum, rows, -std::numeric_limits<T>::infinity());
  std::fill_n(state.total, rows, T(0));
  std::fill_n(state.out, rows * plan_.padded_values, T(0));
}

template <class T>
template <class Visitor>
void BlockOfRows<T>::for_groups(Visitor&& visit) const {
  for (std::size_t first = 0, rows; first < block_.rows(); first += rows) {
    const std::size_t left = block_.rows() - first;
    rows = left >= 6 ? 6 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
    visit(Group{first, rows});
  }
}

template <class T>
void BlockOfRows<T>::pack_queries() {
  const AttentionProblem& problem = plan_.problem;
  const std::size_t d_q = problem.sizes.query_width;
  const Score kind = problem.score.kind;
  std::vector<double> q(plan_.is_plain ? 0 : d_q), phi_q(plan_.is_plain ? 0 : plan_.width);
  for_groups([&](const Group& group) {
    T* const packed = queries_ + group.first * plan_.width;
    const std::size_t head = plan_.head(block_, group.first);
    if (plan_.is_plain && problem.dtype == dtype_of_v<T> && plan_.head(block_, group.first + group.rows - 1) == head) {
      const auto* const data = row_of(problem.query, block_.b, head, plan_.query(block_, group.first));
      plan_.kernels.pack_queries(reinterpret_cast<const T*>(data), problem.query.strides[2], group.rows, plan_.width,
                                 static_cast<T>(plan_.query_factor), packed);
      return;
    }
    const auto stride = static_cast<std::ptrdiff_t>(plan_.width);
    for (std::size_t r = 0; r < group.rows; ++r) {
      const std::size_t row = group.first + r;
      const auto* const data = row_of(problem.query, block_.b, plan_.head(block_, row), plan_.query(block_, row));
      T* const out = staging_ + r * plan_.width;
      if (plan_.is_plain) {
        widen_row(data, problem.dtype, d_q, 1, out);
        continue;
      }
      widen_row(data, problem.dtype, d_q, 1, q.data());
      if (kind == Score::cosine)
        to_unit(q.data(), d_q);
      else
        phi(problem.score, problem.sizes, q.data(), phi_q.data());
      const double* const from = kind == Score::cosine ? q.data() : phi_q.data();
      for (std::size_t c = 0; c < plan_.width; ++c) out[c] = static_cast<T>(from[c]);
    }
    plan_.kernels.pack_queries(staging_, stride, group.rows, plan_.width, static_cast<T>(plan_.query_factor), packed);
  });
}

template <class T>
void BlockOfRows<T>::take_values(std::size_t key, std::size_t count) {
  const AttentionProblem& problem = plan_.problem;
  const unsigned char* const data = row_of(problem.value, block_.b, block_.g, key - problem.first_key);
  if (!packs_values_) {
    values_ = data;
    values_stride_ = problem.value.strides[2];
    return;
  }
  plan_.kernels.pack_values(data, plan_.storage, problem.value.strides[2], count, problem.sizes.value_width,
                            packed_values_, plan_.padded_values);
  values_ = reinterpret_cast<const unsigned char*>(packed_values_);
  values_stride_ = static_cast<std::ptrdiff_t>(plan_.padded_values);
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
void BlockOfRows<T>::score_panels(const Group& group, std::size_t first_panel, std::size_t last_panel, T* out,
                                  std::size_t stride) {
  simd::ScoreGroup<T> part;
  part.queries = queries_ + group.first * plan_.width;
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
TileKind BlockOfRows<T>::classify(const Group& group, KeyRange keys) const {
  const Mask& mask = plan_.problem.mask;
  if (mask.is_ranges_only()) return TileKind::full;  // up to the ranges of the rows
  const std::size_t head = plan_.head(block_, group.first);
  if (plan_.head(block_, group.first + group.rows - 1) != head) return TileKind::partial;
  const std::size_t query = plan_.query(block_, group.first);
  return mask.classify(block_.b, head, query, query + group.rows, keys);
}

template <class T>
void BlockOfRows<T>::fetch_biases(const Group& group, KeyRange keys) {
  for (std::size_t r = 0; r < group.rows; ++r) {
    const std::size_t row = group.first + r;
    plan_.problem.mask.row(block_.b, plan_.head(block_, row), plan_.query(block_, row), keys, bias_ + r * key_block);
  }
}

template <class T>
typename BlockOfRows<T>::Work BlockOfRows<T>::prepare(const Group& group, std::size_t key, std::size_t count) const {
  Work work;
  work.group = group;
  work.first = count;
  for (std::size_t r = 0; r < group.rows; ++r) {
    const KeyRange& range = ranges_[group.first + r];
    const std::size_t row_first = std::clamp(range.first, key, key + count) - key;
    const std::size_t row_last = std::clamp(range.last, key, key + count) - key;
    if (row_first >= row_last) continue;
    work.first = std::min(work.first, row_first);
    work.last = std::max(work.last, row_last);
  }
  if (work.first >= work.last) return work;
  work.kind = classify(group, {key + work.first, key + work.last});
  const std::size_t panel_width = plan_.kernels.panel_width;
  work.first_panel = work.first / panel_width;
  work.last_panel = (work.last + panel_width - 1) / panel_width;
  return work;
}

template <class T>
void BlockOfRows<T>::weigh(Work& work, std::size_t key, std::size_t count, T* scores, const RunningState<T>& state) {
  const Group& group = work.group;
  const std::size_t panel_width = plan_.kernels.panel_width;
  const std::size_t origin = work.first_panel * panel_width;  // columns begin here
  const std::size_t columns = (work.last_panel - work.first_panel) * panel_width;
  std::uint32_t first[group_limit], last[group_limit];
  const T* bias_rows[group_limit];
  work.excludes = work.kind != TileKind::full;
  if (work.kind == TileKind::partial) fetch_biases(group, {key + origin, key + std::min(origin + columns, count)});
  for (std::size_t r = 0; r < group.rows; ++r) {
    const KeyRange& range = ranges_[group.first + r];
    const std::size_t begin = std::clamp(range.first, key + origin, key + count) - key - origin;
    const std::size_t end = std::clamp(range.last, key + origin, key + count) - key - origin;
    first[r] = static_cast<std::uint32_t>(std::min(begin, end));
    last[r] = static_cast<std::uint32_t>(end);
    work.excludes |= begin > work.first - origin || end < work.last - origin;
    bias_rows[r] = bias_ + r * key_block;
  }
  simd::WeightRows<T> weights;
  weights.scores = scores + origin;
  weights.stride = score_stride;
  weights.rows = group.rows;
  weights.columns = columns;
  weights.first = first;
  weights.last = last;
  weights.bias = work.kind == TileKind::partial ? bias_rows : nullptr;
  weights.softcap = plan_.softcap;
  weights.maximum = state.maximum + group.first;
  weights.total = state.total + group.first;
  weights.keep = work.keep;
  weights.add = work.add;
  plan_.kernels.weights(weights);
}

template <class T>
void BlockOfRows<T>::pool(const Work& work, std::size_t column, std::size_t columns, const T* weights,
                          const RunningState<T>& state) const {
  simd::PoolGroup<T> part;
  part.weights = weights + work.first;
  part.weights_stride = score_stride;
  part.storage = packs_values_ ? simd::Storage::full : plan_.storage;
  const std::size_t size = packs_values_ ? sizeof(T) : element_size(plan_.problem.dtype);
  part.values =
      values_ + (static_cast<std::ptrdiff_t>(work.first) * values_stride_ + static_cast<std::ptrdiff_t>(column)) *
                    static_cast<std::ptrdiff_t>(size);
  part.values_stride = values_stride_;
  part.rows = work.group.rows;
  part.count = work.last - work.first;
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
    for (Work* work = begin; work != end; ++work)
      plan_.kernels.stream_scores(key_panel(key + work->first_panel * panel_width, key + work->last),
                                  queries_ + work->group.first * plan_.width, work->group.rows,
                                  scores_of(work) + work->first_panel * panel_width, score_stride);
    first_panel = last_panel;
  }
  for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
    if (packs_as_needed_) pack_panels(key, count, panel, panel + 1);
    for (Work* work = begin; work != end; ++work)
      if (panel >= work->first_panel && panel < work->last_panel)
        score_panels(work->group, panel, panel + 1, scores_of(work) + panel * panel_width, score_stride);
  }
  for (Work* work = begin; work != end; ++work) weigh(*work, key, count, scores_of(work), state);
  const std::size_t columns = packs_as_needed_ ? plan_.padded_values : panel_width;
  for (std::size_t column = 0; column < plan_.padded_values; column += columns)
    for (Work* work = begin; work != end; ++work)
      pool(*work, column, std::min(columns, plan_.padded_values - column), scores_of(work), state);
}

template <class T>
void BlockOfRows<T>::attend(std::size_t first, std::size_t last, const RunningState<T>& state) {
  std::size_t begin = last, end = first;
  for (std::size_t r = 0; r < block_.rows(); ++r) {
    const std::size_t row_first = std::max(ranges_[r].first, first), row_last = std::min(ranges_[r].last, last);
    if (row_first >= row_last) continue;
    begin = std::min(begin, row_first);
    end = std::max(end, row_last);
  }
  if (begin >= end) return;
  const std::size_t panel_width = plan_.kernels.panel_width, count = end - first;
  take_values(first, count);
  if (!packs_as_needed_)
    pack_panels(first, count, (begin - first) / panel_width, (count + panel_width - 1) / panel_width);
  Work tile[tile_groups];
  std::size_t groups = 0;
  for_groups([&](const Group& group) {
    tile[groups] = prepare(group, first, count);
    if (tile[groups].kind != TileKind::empty) ++groups;
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
  for_groups([&](const Group& group) {
    for (std::size_t panel = 0; panel < panels; ++panel) {
      if (packs_as_needed_) pack_panels(first, last - first, panel, panel + 1);
      score_panels(group, panel, panel + 1, scores_ + panel * panel_width, score_stride);
    }
    for (std::size_t r = 0; r < group.rows; ++r) {
      T* const row = out + (group.first + r) * out_stride;
      std::copy_n(scores_ + r * score_stride, last - first, row);
    }
  });
}

template struct Plan<float>;
template struct Plan<double>;
template class BlockOfRows<float>;
template class BlockOfRows<double>;

}  // namespace attn::fused
