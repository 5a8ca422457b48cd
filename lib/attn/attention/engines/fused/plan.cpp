#include <attn/attention/engines/fused/plan.hpp>

#include <attn/attention/engines/score.hpp>

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

}  // namespace attn::fused
