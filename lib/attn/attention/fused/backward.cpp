#include <attn/attention/fused/backward.hpp>

#include <attn/attention/fused/features.hpp>
#include <attn/attention/fused/plan.hpp>
#include <attn/attention/inner/weights.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

namespace attn::fused {
namespace {

struct BackwardScratch;

/// x, or -0 for the weight -0 of an excluded key. Compares integers, so that loops vectorise.
template <class T>
T unless_excluded(T weight, T x) {
  std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t> bits;
  std::memcpy(&bits, &weight, sizeof bits);
  return bits < 0 ? -T(0) : x;
}

/// a.b for n numbers in f64, as sums that do not wait for one another.
template <class T>
double dot(const T* a, const T* b, std::size_t n) {
  constexpr std::size_t chains = 8;
  double sums[chains] = {};
  std::size_t c = 0;
  for (; c + chains <= n; c += chains)
    for (std::size_t i = 0; i < chains; ++i) sums[i] += static_cast<double>(a[c + i]) * static_cast<double>(b[c + i]);
  for (; c < n; ++c) sums[c % chains] += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return std::accumulate(sums, sums + chains, 0.0);
}

/// A task of rows against blocks of keys. Names as in the formulas of inner/backward.hpp; phi includes the factor of
/// the scores.
template <class T>
class BackwardBlock {
 public:
  BackwardBlock(const Plan<T>& plan, const AttentionForward& forward, const AttentionCotangents& cotangents,
                const RowBlock& block, GradientSums<T>& sums);
  void run();

 private:
  static constexpr std::size_t keys_at_once = 256, score_stride = keys_at_once + 16;

  void prepare_row(const AttentionForward& forward, const AttentionCotangents& cotangents, std::size_t r);
  void add_block(std::size_t key, std::size_t count);
  void pack_block(std::size_t key, std::size_t count);
  void pack_panel(const simd::KeyPanel& panel, std::size_t width, std::size_t stride, T* packed, T* rows) const;
  void add_tile(const RowGroup& group, std::size_t key, std::size_t count);
  void multiply(const RowGroup& group, const T* rows, std::size_t stride, const T* packed, std::size_t width,
                std::size_t count, T* out);
  bool take_gradient(const RowGroup& group, const KeySpan& span, std::size_t key, std::size_t count, std::size_t origin,
                     std::size_t columns);
  void apply_softcap(const RowGroup& group, std::size_t origin, std::size_t columns);
  void pool(const T* weights, std::size_t weights_stride, std::size_t rows, std::size_t count, const T* values,
            std::size_t values_stride, std::size_t columns, T* out) const;
  void pool_transposed(const RowGroup& group, const T* tile, std::size_t first, std::size_t last, const T* values,
                       std::size_t values_stride, std::size_t columns, T* out);
  void store_keys(std::size_t key, std::size_t count);
  void store_queries();

  const Plan<T>& plan_;
  const AttentionProblem& problem_;
  RowBlock block_;
  GradientSums<T>& sums_;
  std::size_t rows_, panel_, padded_width_;
  RowMasks<T> masks_;
  Operands<T> operands_;
  T* phi_ = nullptr;         ///< (rows, plan.query_stride)
  T* dy_ = nullptr;          ///< (rows, plan.padded_values)
  T* dphi_ = nullptr;        ///< (rows, padded_width_)
  T* lse_ = nullptr;         ///< (rows): of forward; -inf: no key
  T* delta_ = nullptr;       ///< (rows): dy.y - dlse
  T* keys_ = nullptr;        ///< panels of the current block of keys
  T* psi_ = nullptr;         ///< the same, (keys_at_once, padded_width_)
  T* values_ = nullptr;      ///< panels
  T* dpsi_ = nullptr;        ///< (keys_at_once, padded_width_)
  T* dvalues_ = nullptr;     ///< (keys_at_once, plan.padded_values)
  T* weights_ = nullptr;     ///< (panel_, score_stride): scores, then weights of a tile
  T* dscores_ = nullptr;     ///< dw, then ds
  T* slopes_ = nullptr;      ///< of the softcap
  T* transposed_ = nullptr;  ///< (keys_at_once, panel_)
  bool excludes_ = false;    ///< some pair of the tile
};

template <class T>
BackwardBlock<T>::BackwardBlock(const Plan<T>& plan, const AttentionForward& forward,
                                const AttentionCotangents& cotangents, const RowBlock& block, GradientSums<T>& sums)
    : plan_(plan),
      problem_(plan.problem),
      block_(block),
      sums_(sums),
      rows_(block.rows()),
      panel_(plan.kernels.panel_width),
      padded_width_(round_up(plan.width, plan.kernels.vector_width)) {
  const std::size_t tile = panel_ * score_stride;
  KeyRange* ranges = nullptr;
  T* bias = nullptr;
  const auto carve = [&](simd::Carver memory) {
    phi_ = memory.take<T>(rows_ * plan.query_stride);
    dy_ = memory.take<T>(rows_ * plan.padded_values);
    dphi_ = memory.take<T>(rows_ * padded_width_);
    for (T** numbers : {&lse_, &delta_}) *numbers = memory.take<T>(rows_);
    keys_ = memory.take<T>(keys_at_once * plan.width);
    psi_ = memory.take<T>(keys_at_once * padded_width_);
    values_ = memory.take<T>(keys_at_once * problem_.sizes.value_width);
    dpsi_ = memory.take<T>(keys_at_once * padded_width_);
    dvalues_ = memory.take<T>(keys_at_once * plan.padded_values);
    weights_ = memory.take<T>(tile);
    dscores_ = memory.take<T>(tile);
    slopes_ = memory.take<T>(plan.softcap == 0 ? 0 : tile);
    transposed_ = memory.take<T>(keys_at_once * panel_);
    operands_ = Operands<T>(plan, block, memory);
    bias = memory.take<T>(problem_.mask.is_ranges_only() ? 0 : simd::most_weight_rows * key_block);
    ranges = memory.take<KeyRange>(rows_);
    return memory.used();
  };
  carve(simd::Carver(simd::scratch<BackwardScratch>(carve(simd::Carver()))));
  masks_ = RowMasks<T>(plan, block, ranges, bias);
  std::fill_n(phi_, rows_ * plan.query_stride, T(0));
  operands_.queries(0, rows_, phi_);
  std::fill_n(dphi_, rows_ * padded_width_, T(0));
  for (std::size_t r = 0; r < rows_; ++r) prepare_row(forward, cotangents, r);
}

template <class T>
void BackwardBlock<T>::prepare_row(const AttentionForward& forward, const AttentionCotangents& cotangents,
                                   std::size_t r) {
  const AttentionSizes& n = problem_.sizes;
  const std::size_t h = plan_.head(block_, r), i = plan_.query(block_, r), d_v = n.value_width;
  const std::size_t row = (block_.b * n.heads + h) * n.queries + i;
  const TensorView& dy = cotangents.output;
  plan_.kernels.pack_values(row_of(dy, block_.b, h, i), simd::storage_of(dy.dtype), dy.strides[2], 1, d_v,
                            dy_ + r * plan_.padded_values, plan_.padded_values);
  lse_[r] = forward.lse.contiguous_data<T>()[row];
  delta_[r] = 0;
  if (lse_[r] == -std::numeric_limits<T>::infinity()) return;
  const auto* const pooled = reinterpret_cast<const T*>(row_of(forward.output, block_.b, h, i));
  double delta = dot(dy_ + r * plan_.padded_values, pooled, d_v);
  if (cotangents.lse) delta -= to_scalar(element(element(element(*cotangents.lse, block_.b), h), i));
  delta_[r] = static_cast<T>(delta);
  if (!problem_.sinks.empty())
    sums_.sinks[h - block_.g * plan_.group()] -= std::exp(problem_.sinks[h] - static_cast<double>(lse_[r])) * delta;
}

template <class T>
void BackwardBlock<T>::pack_panel(const simd::KeyPanel& panel, std::size_t width, std::size_t stride, T* packed,
                                  T* rows) const {
  plan_.kernels.pack_keys(panel, packed);
  if (rows != nullptr)
    plan_.kernels.pack_values(panel.keys, panel.storage, panel.stride, panel.count, width, rows, stride);
}

template <class T>
void BackwardBlock<T>::pack_block(std::size_t key, std::size_t count) {
  const TensorView& value = problem_.value;
  const std::size_t d_v = problem_.sizes.value_width;
  for (std::size_t first = 0; first < count; first += panel_) {
    const std::size_t last = std::min(first + panel_, count);
    pack_panel(operands_.panel(key + first, key + last), plan_.width, padded_width_, keys_ + first * plan_.width,
               psi_ + first * padded_width_);
    simd::KeyPanel values;
    values.keys = row_of(value, block_.b, block_.g, key + first);
    values.stride = value.strides[2];
    values.storage = plan_.storage;
    values.count = last - first;
    values.depth = d_v;
    pack_panel(values, d_v, 0, values_ + first * d_v, nullptr);
  }
}

/// out (group, score_stride) = rows times a panel of `count` keys or values.
template <class T>
void BackwardBlock<T>::multiply(const RowGroup& group, const T* rows, std::size_t stride, const T* packed,
                                std::size_t width, std::size_t count, T* out) {
  simd::ScoreGroup<T> part;
  part.queries = rows + group.first * stride;
  part.query_stride = static_cast<std::ptrdiff_t>(stride);
  part.keys = packed;
  part.rows = group.rows;
  part.depth = width;
  part.columns = count;
  part.scores = out;
  part.stride = score_stride;
  plan_.kernels.dot_scores(part);
}

/// Scores of the tile become weights, and dw becomes ds; true if some pair is excluded.
template <class T>
bool BackwardBlock<T>::take_gradient(const RowGroup& group, const KeySpan& span, std::size_t key, std::size_t count,
                                     std::size_t origin, std::size_t columns) {
  bool excludes = false;
  for (std::size_t first = 0; first < group.rows; first += simd::most_weight_rows) {
    const RowGroup part{group.first + first, std::min(simd::most_weight_rows, group.rows - first)};
    const std::size_t at = first * score_stride + origin;
    RowLimits<T, simd::most_weight_rows> limits;
    simd::GradientRows<T> rows;
    rows.w.scores = weights_ + at;
    rows.w.stride = score_stride;
    rows.w.columns = columns;
    rows.w.softcap = plan_.softcap;
    excludes |= masks_.limit(part, span, key, count, origin, limits, rows.w);
    rows.dweights = dscores_ + at;
    rows.slopes = slopes_ + at;
    rows.lse = lse_ + part.first;
    rows.delta = delta_ + part.first;
    plan_.kernels.gradients(rows);
  }
  return excludes;
}

template <class T>
void BackwardBlock<T>::apply_softcap(const RowGroup& group, std::size_t origin, std::size_t columns) {
  for (std::size_t r = 0; r < group.rows; ++r)
    for (std::size_t j = r * score_stride + origin; j < r * score_stride + origin + columns; ++j)
      dscores_[j] = unless_excluded(weights_[j], dscores_[j] * slopes_[j]);
}

/// out (rows, columns) += weights (rows, count) values (count, columns).
template <class T>
void BackwardBlock<T>::pool(const T* weights, std::size_t weights_stride, std::size_t rows, std::size_t count,
                            const T* values, std::size_t values_stride, std::size_t columns, T* out) const {
  constexpr T one[] = {1, 1, 1, 1, 1, 1};
  simd::PoolGroup<T> group;
  group.weights_stride = static_cast<std::ptrdiff_t>(weights_stride);
  group.values = values;
  group.values_stride = static_cast<std::ptrdiff_t>(values_stride);
  group.count = count;
  group.columns = columns;
  group.out_stride = static_cast<std::ptrdiff_t>(columns);
  group.keep = group.add = one;
  group.excludes = excludes_;
  for (std::size_t first = 0; first < rows; first += group.rows) {
    group.rows = simd::rows_of_tile(rows - first);
    group.weights = weights + first * weights_stride;
    group.out = out + first * columns;
    plan_.kernels.pool(group);
  }
}

/// out (last - first, columns) += the columns [first, last) of the tile, transposed, times values (group, columns).
template <class T>
void BackwardBlock<T>::pool_transposed(const RowGroup& group, const T* tile, std::size_t first, std::size_t last,
                                       const T* values, std::size_t values_stride, std::size_t columns, T* out) {
  simd::KeyPanel rows;
  rows.keys = tile + first;
  rows.stride = score_stride;
  rows.count = group.rows;
  rows.depth = last - first;
  plan_.kernels.pack_keys(rows, transposed_);
  pool(transposed_, panel_, last - first, group.rows, values, values_stride, columns, out);
}

template <class T>
void BackwardBlock<T>::add_tile(const RowGroup& group, std::size_t key, std::size_t count) {
  const KeySpan span = masks_.span(group, key, count);
  if (span.kind == TileKind::empty) return;
  const std::size_t origin = span.first / panel_ * panel_, end = round_up(span.last, panel_), columns = end - origin;
  const std::size_t S = problem_.sizes.keys, d_v = problem_.sizes.value_width;
  for (std::size_t at = origin; at < end; at += panel_) {
    const std::size_t keys = std::min(panel_, count - at);
    multiply(group, phi_, plan_.query_stride, keys_ + at * plan_.width, plan_.width, keys, weights_ + at);
    multiply(group, dy_, plan_.padded_values, values_ + at * d_v, d_v, keys, dscores_ + at);
  }
  excludes_ = take_gradient(group, span, key, count, origin, columns);
  if (sums_.scores != nullptr)
    for (std::size_t r = 0; r < group.rows; ++r)
      for (std::size_t j = span.first; j < span.last; ++j)
        sums_.scores[(group.first + r) * S + key + j] = dscores_[r * score_stride + j] + T(0);
  if (plan_.softcap != 0) apply_softcap(group, origin, columns);
  pool(dscores_ + span.first, score_stride, group.rows, span.last - span.first, psi_ + span.first * padded_width_,
       padded_width_, padded_width_, dphi_ + group.first * padded_width_);
  pool_transposed(group, dscores_, span.first, span.last, phi_ + group.first * plan_.query_stride, plan_.query_stride,
                  padded_width_, dpsi_ + span.first * padded_width_);
  pool_transposed(group, weights_, span.first, span.last, dy_ + group.first * plan_.padded_values, plan_.padded_values,
                  plan_.padded_values, dvalues_ + span.first * plan_.padded_values);
}

template <class T>
void BackwardBlock<T>::store_keys(std::size_t key, std::size_t count) {
  const AttentionSizes& n = problem_.sizes;
  const bool is_plain = problem_.score.kind != Score::cosine;
  std::vector<double> dpsi(plan_.width), dkey(n.key_width);
  TensorView keys;
  if (!is_plain) keys = widened_rows(problem_.key, block_.b, block_.g, key, key + count);
  for (std::size_t j = 0; j < count; ++j) {
    T* const to_key = sums_.key + (key + j) * sums_.key_stride;
    T* const to_value = sums_.value + (key + j) * sums_.value_stride;
    for (std::size_t c = 0; c < n.value_width; ++c) to_value[c] += dvalues_[j * plan_.padded_values + c];
    const T* const row = dpsi_ + j * padded_width_;
    if (is_plain) {
      for (std::size_t c = 0; c < n.key_width; ++c) to_key[c] += row[c];
      continue;
    }
    std::copy_n(row, plan_.width, dpsi.begin());
    psi_vjp(problem_.score, n, keys.contiguous_data<double>() + j * n.key_width, dpsi.data(), dkey.data(), sums_.score);
    for (std::size_t c = 0; c < n.key_width; ++c) to_key[c] += static_cast<T>(dkey[c]);
  }
}

template <class T>
void BackwardBlock<T>::store_queries() {
  const AttentionSizes& n = problem_.sizes;
  const T factor = static_cast<T>(plan_.query_factor);
  std::vector<double> dphi(plan_.width), dquery(n.query_width);
  for (std::size_t r = 0; r < rows_; ++r) {
    T* const row = dphi_ + r * padded_width_;
    const std::size_t h = plan_.head(block_, r), i = plan_.query(block_, r);
    T* const to = sums_.query->template row<T>(block_.b, h, i);
    plan_.kernels.scale(row, plan_.width, factor, row);
    if (plan_.is_plain) {
      std::copy_n(row, n.query_width, to);
      continue;
    }
    std::copy_n(row, plan_.width, dphi.begin());
    const TensorView query = widened_rows(problem_.query, block_.b, h, i, i + 1);
    phi_vjp(problem_.score, n, query.contiguous_data<double>(), dphi.data(), dquery.data(), sums_.score);
    std::transform(dquery.begin(), dquery.end(), to, [](double x) { return static_cast<T>(x); });
  }
}

template <class T>
void BackwardBlock<T>::add_block(std::size_t key, std::size_t count) {
  pack_block(key, count);
  std::fill_n(dpsi_, count * padded_width_, T(0));
  std::fill_n(dvalues_, count * plan_.padded_values, T(0));
  for (std::size_t first = 0; first < rows_; first += panel_)
    add_tile({first, std::min(panel_, rows_ - first)}, key, count);
  store_keys(key, count);
}

template <class T>
void BackwardBlock<T>::run() {
  const std::size_t S = problem_.sizes.keys;
  for (std::size_t key = 0; key < S; key += keys_at_once) {
    const KeyRange seen = masks_.keys({key, std::min(key + keys_at_once, S)});
    if (seen.first < seen.last) add_block(key, seen.last - key);
  }
  store_queries();
}

}  // namespace

bool has_fused_backward(const AttentionProblem& problem, const AttentionCotangents& cotangents) noexcept {
  const Score kind = problem.score.kind;
  return problem.normalize == Normalize::softmax && kind != Score::gaussian && kind != Score::additive &&
         problem.empty != EmptyRows::nearest && !cotangents.weights;
}

template <class T>
void backward_rows(const Plan<T>& plan, const AttentionForward& forward, const AttentionCotangents& cotangents,
                   const RowBlock& block, GradientSums<T>& sums) {
  BackwardBlock<T>(plan, forward, cotangents, block, sums).run();
}
template void backward_rows(const Plan<float>&, const AttentionForward&, const AttentionCotangents&, const RowBlock&,
                            GradientSums<float>&);
template void backward_rows(const Plan<double>&, const AttentionForward&, const AttentionCotangents&, const RowBlock&,
                            GradientSums<double>&);

}  // namespace attn::fused
