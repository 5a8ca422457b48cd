#include <attn/attention/fused/plan.hpp>

#include <attn/attention/inner/scores.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

namespace attn::fused {
namespace {

/// Are queries and keys multiplied as given? Their blocks are packed whole, and the widest are too large for that.
bool multiplies_bf16(const AttentionProblem& p) {
  constexpr std::size_t widest = 2048;
  return p.normalize == Normalize::softmax && p.dtype == DType::bf16 &&
         (p.score.kind == Score::scaled_dot || p.score.kind == Score::dot) && p.sizes.key_width <= widest &&
         p.sizes.value_width <= widest;
}

/// Are scores products, and do all pieces of a block fit into the memory of a thread?
bool multiplies_pieces(const AttentionProblem& p, bool expands_squares) {
  constexpr std::size_t widest = 768;
  const bool is_product = !p.score.has_distance() && p.score.kind != Score::additive;
  return p.normalize == Normalize::softmax && (is_product || expands_squares) && p.sizes.key_width <= widest &&
         p.sizes.value_width <= widest;
}

/// W (out, in), outputs contiguous in memory.
TensorView by_inputs(const TensorView& w) { return transposed(contiguous(transposed(w, {1, 0})), {1, 0}); }

/// Is there one bandwidth whose square, and the squares of distances near it, a factor can represent?
bool has_one_width(const ScoreRule& rule) {
  const std::vector<double>& inverse = rule.inverse_widths;
  constexpr int largest = 30;  // of its binary exponent
  return rule.has_distance() && !inverse.empty() && std::abs(std::ilogb(inverse.front())) <= largest &&
         std::count(inverse.begin(), inverse.end(), inverse.front()) == static_cast<std::ptrdiff_t>(inverse.size());
}

/// Not if the score is a root of the square, or has an edge that a rounding may cross.
bool may_expand(const ScoreRule& rule) {
  if (rule.kind == Score::gaussian) return !rule.is_root && rule.scale > 0;
  constexpr Kernel rooted[] = {Kernel::boxcar, Kernel::triangular, Kernel::epanechnikov, Kernel::laplace};
  return rule.kind == Score::kernel && std::find(std::begin(rooted), std::end(rooted), rule.kernel) == std::end(rooted);
}

/// For narrower keys, comparing the coordinates one by one is as fast.
constexpr std::size_t narrowest_expanded = 8;

}  // namespace

const unsigned char* row_of(const TensorView& x, std::size_t b, std::size_t h, std::size_t i) {
  const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(b) * x.strides[0] +
                                static_cast<std::ptrdiff_t>(h) * x.strides[1] +
                                static_cast<std::ptrdiff_t>(i) * x.strides[2];
  return static_cast<const unsigned char*>(x.data) + offset * static_cast<std::ptrdiff_t>(element_size(x.dtype));
}

template <class T>
Plan<T>::Plan(const AttentionProblem& p, Isa isa, bool shows_scores)
    : problem(p),
      kernels(simd::attention_kernels<T>(isa)),
      math(simd::math_kernels<T>(isa)),
      bf16(multiplies_bf16(p) ? simd::bf16_attention_kernels(isa) : nullptr),
      bf16x3(nullptr),
      storage(simd::storage_of(p.dtype)),
      width(pair_width(p.score, p.sizes)),
      expands_squares(!shows_scores && may_expand(p.score) && width >= narrowest_expanded),
      depth(width + (expands_squares ? 2 : 0)),
      differing(0),
      padded_values(round_up(p.sizes.value_width, kernels.vector_width)) {
  alone.isa = isa;
  if (std::is_same_v<T, float> && bf16 == nullptr && multiplies_pieces(p, expands_squares))
    bf16x3 = simd::bf16x3_attention_kernels(isa);
  const Score kind = p.score.kind;
  const bool has_distance = p.score.has_distance(), is_product = !has_distance && kind != Score::additive;
  const double square_factor = kind == Score::kernel ? 1 : p.score.is_root ? -1 : p.score.scale * -0.5;
  const bool has_one = has_one_width(p.score), divides_keys = has_distance && !has_one;
  is_plain = kind == Score::scaled_dot || kind == Score::dot || has_one;
  transforms_keys = kind == Score::cosine || kind == Score::additive || divides_keys || expands_squares;
  if (is_product && shows_scores) {
    // A power of two is exact; any other factor rounds queries, and equal scores would differ.
    int exponent = 0;
    score_factor = static_cast<T>(std::frexp(p.score.scale, &exponent));
    query_factor = std::ldexp(1.0, exponent);
  } else if (is_product) {
    query_factor = p.score.scale;
  } else {
    score_factor = static_cast<T>(has_distance ? square_factor : p.score.scale);
  }
  if (has_one) {
    const double inverse = p.score.inverse_widths.front();
    score_factor = static_cast<T>(square_factor * inverse * inverse);
  }
  if (expands_squares) {
    constexpr double limit = 16;        // of |k|^2 as a score
    constexpr double kernel_limit = 2;  // of |k|^2 in widths: an error of 10 roundings, of weights of at most 1
    expanded_limit = kind == Score::kernel ? kernel_limit * p.score.bandwidth * p.score.bandwidth
                                           : limit / (-2 * static_cast<double>(score_factor));
  }
  softcap = static_cast<T>(p.score.softcap);
  if (divides_keys) {
    for (const double inverse : p.score.inverse_widths) {
      coordinate_powers.push_back(std::exp2(std::ilogb(inverse)));
      pair_weights.push_back(static_cast<T>(inverse / coordinate_powers.back()));
    }
    if (expands_squares) differing = round_up(depth, kernels.vector_width);
  }
  query_stride = differing + round_up(differing > 0 ? width : depth, kernels.vector_width) + kernels.vector_width;
  if (kind == Score::bilinear) query_matrix = transposed(p.score.bilinear, {1, 0});
  if (kind == Score::additive) {
    query_matrix = by_inputs(p.score.query_weight);
    key_matrix = by_inputs(p.score.key_weight);
    const auto* const w = static_cast<const double*>(p.score.score_weight.data);
    pair_weights.assign(w, w + width);
  }
}

template <class T>
std::size_t Plan<T>::rows_at_once() const noexcept {
  constexpr std::size_t block_bytes = std::size_t{1} << 20, most = 1920, few = 48, fewest = 6;
  if (bf16x3 != nullptr) {
    constexpr std::size_t step = 4 * simd::bf16x3_group_rows, piece_bytes = 6;
    return std::clamp(block_bytes / (width * piece_bytes + padded_values * sizeof(T)) / step * step, step, most);
  }
  const std::size_t rows = block_bytes / ((differing + depth + padded_values + 1) * sizeof(T));
  return rows >= few ? std::min(rows / few * few, most) : std::clamp(3 * rows / 2 / fewest * fewest, fewest, few);
}

template struct Plan<float>;
template struct Plan<double>;

template <class T>
RowMasks<T>::RowMasks(const Plan<T>& plan, const RowBlock& block, KeyRange* ranges, T* bias)
    : plan_(&plan), block_(block), ranges_(ranges), bias_(bias) {
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const KeyRange keys = plan.problem.mask.keys(block.b, plan.head(block, r), plan.query(block, r));
    ranges_[r] = keys;
    if (keys.first < keys.last) used_ = {std::min(used_.first, keys.first), std::max(used_.last, keys.last)};
  }
}

template <class T>
KeyRange RowMasks<T>::keys(KeyRange among) const {
  KeyRange all{among.last, among.first};
  if (used_.last <= among.first || among.last <= used_.first) return all;
  for (std::size_t r = 0; r < block_.rows(); ++r) {
    const KeyRange row = clamped(ranges_[r], among);
    if (row.first >= row.last) continue;
    all.first = std::min(all.first, row.first);
    all.last = std::max(all.last, row.last);
  }
  return all;
}

template <class T>
TileKind RowMasks<T>::classify(const RowGroup& group, KeyRange keys) const {
  const Mask& mask = plan_->problem.mask;
  if (mask.is_ranges_only()) return TileKind::full;  // except for the ranges of the rows
  const std::size_t head = plan_->head(block_, group.first);
  if (plan_->head(block_, group.first + group.rows - 1) != head) return TileKind::partial;
  const std::size_t query = plan_->query(block_, group.first);
  return mask.classify(block_.b, head, query, query + group.rows, keys);
}

template <class T>
void RowMasks<T>::fetch_biases(const RowGroup& group, KeyRange keys) const {
  for (std::size_t r = 0; r < group.rows; ++r) {
    const std::size_t row = group.first + r;
    plan_->problem.mask.row(block_.b, plan_->head(block_, row), plan_->query(block_, row), keys, bias_ + r * key_block);
  }
}

template <class T>
KeySpan RowMasks<T>::span(const RowGroup& group, std::size_t key, std::size_t count) const {
  KeySpan span;
  span.first = count;
  for (std::size_t r = 0; r < group.rows; ++r) {
    const KeyRange row = clamped(ranges_[group.first + r], {key, key + count});
    if (row.first >= row.last) continue;
    span.first = std::min(span.first, row.first - key);
    span.last = std::max(span.last, row.last - key);
  }
  if (span.first < span.last) span.kind = classify(group, {key + span.first, key + span.last});
  return span;
}

template class RowMasks<float>;
template class RowMasks<double>;

void FetchAhead::add(const TensorView& x, std::size_t b, std::size_t h, std::size_t first, std::size_t rows) {
  if (rows == 0 || count_ == regions_.size()) return;
  const auto size = static_cast<std::ptrdiff_t>(element_size(x.dtype));
  regions_[count_++] = {row_of(x, b, h, first), x.strides[2] * size, rows, x.shape[3] * element_size(x.dtype)};
}

template <class T>
FetchAhead::FetchAhead(const Plan<T>& plan, const RowBlock& current, const RowBlock& next, std::size_t steps) {
  const AttentionProblem& problem = plan.problem;
  if (next.b != current.b || next.g != current.g) {
    add(problem.key, next.b, next.g, 0, problem.block_keys());
    add(problem.value, next.b, next.g, 0, problem.block_keys());
  }
  for (std::size_t row = 0; row < next.rows();) {
    const std::size_t query = plan.query(next, row), rows = std::min(next.rows() - row, problem.sizes.queries - query);
    add(problem.query, next.b, plan.head(next, row), query, rows);
    row += rows;
  }
  std::size_t lines = 0;
  for (std::size_t at = 0; at < count_; ++at) lines += regions_[at].rows * (regions_[at].bytes / line + 1);
  lines_of_step_ = lines / std::max<std::size_t>(steps, 1) + 1;
}

simd::LinesAhead FetchAhead::part(std::size_t left) noexcept {
  std::size_t rows = 0;
  for (std::size_t at = at_; at < count_; ++at) rows += regions_[at].rows;
  if (rows == 0) return {};
  Region& region = regions_[at_];
  rows = std::min(rows / std::max<std::size_t>(left, 1) + 1, region.rows);
  const simd::LinesAhead part{region.row, region.stride, region.bytes, rows};
  region.row += static_cast<std::ptrdiff_t>(rows) * region.stride;
  region.rows -= rows;
  if (region.rows == 0) ++at_;
  return part;
}

template FetchAhead::FetchAhead(const Plan<float>&, const RowBlock&, const RowBlock&, std::size_t);
template FetchAhead::FetchAhead(const Plan<double>&, const RowBlock&, const RowBlock&, std::size_t);

}  // namespace attn::fused
