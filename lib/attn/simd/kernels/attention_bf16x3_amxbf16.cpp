// The kernels of attention_bf16x3.hpp.
#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL amxbf16
#define ATTN_SIMD_BYTES 64
#include <attn/simd/attention_bf16x3.hpp>
#include <attn/simd/vector/softmax_rows.hpp>
#include <attn/simd/vector/transpose.hpp>

#include <attn/simd/vector/bf16x3.hpp>

namespace attn::simd::amxbf16 {
namespace {

constexpr std::ptrdiff_t step = bf16x3_step, side = bf16x3_side, tile = bf16x3_tile;
constexpr float key_scale = bf16x3_key_scale, value_scale = 0x1p64f;

void begin() { configure_tiles(); }
void end() { release_tiles(); }

/// 16 elements, widened; `present` of them, the others 0 and their memory not touched.
ATTN_INLINE V<float> load_present(const float* p, std::ptrdiff_t present) {
  return present >= side ? load<float>(p) : present <= 0 ? V<float>{} : load_n<float>(p, present);
}
template <class Stored>
ATTN_INLINE V<float> load_present(const Stored* p, std::ptrdiff_t present) {
  if (present >= side) return widen(p);
  Stored some[side] = {};
  for (std::ptrdiff_t i = 0; i < side; ++i)
    if (i < present) some[i] = p[i];
  return widen(some);
}

// ---- splitting -----------------------------------------------------------------------------------------------------

void split_rows(const float* x, std::ptrdiff_t stride, std::size_t rows, std::size_t depth, std::uint16_t* tiles,
                std::ptrdiff_t next) {
  const auto all = static_cast<std::ptrdiff_t>(rows), width = static_cast<std::ptrdiff_t>(depth);
  for (std::ptrdiff_t r = 0; r < (all + side - 1) / side * side; ++r) {
    const float* const row = x + r * stride;
    std::uint16_t* out = tiles + r / side * next + r % side * step;
    for (std::ptrdiff_t c = 0; c < width; c += step, out += tile) {
      const std::ptrdiff_t present = r < all ? width - c : 0;
      store_pieces(load_present(row + c, present), load_present(row + c + side, present - side), out);
    }
  }
}

template <class Stored>
void split_columns_of(const KeyPanel& keys, float factor, std::uint16_t* tiles) {
  const auto all = static_cast<std::ptrdiff_t>(keys.count), width = static_cast<std::ptrdiff_t>(keys.depth);
  const V<float> scale = set1<float>(factor);
  for (std::ptrdiff_t first = 0; first < (all + 2 * side - 1) / (2 * side) * 2 * side; first += side)
    for (std::ptrdiff_t c = 0; c < width; c += step, tiles += tile) {
      V<float> half[2][side];  // of the step, coordinates first
#pragma GCC unroll 2
      for (int h = 0; h < 2; ++h) {
        const Stored* const key = static_cast<const Stored*>(keys.keys) + first * keys.stride + c + h * side;
        const std::ptrdiff_t present = width - c - h * side;
        if (all - first >= side && present >= side) {
#pragma GCC unroll 16
          for (int j = 0; j < side; ++j) {
            half[h][j] = widen(key + j * keys.stride) * scale;
            __builtin_prefetch(key + (j + side) * keys.stride);  // of the next keys
          }
        } else {
          for (int j = 0; j < side; ++j)
            half[h][j] = first + j < all ? load_present(key + j * keys.stride, present) * scale : V<float>{};
        }
        transpose<float>(half[h]);
      }
#pragma GCC unroll 16
      for (int p = 0; p < side; ++p) store_pieces(half[0][p], half[1][p], tiles + p * step);
    }
}

void split_columns(const KeyPanel& keys, float factor, std::uint16_t* tiles) {
  if (keys.storage == Storage::half) return split_columns_of<Half>(keys, factor, tiles);
  if (keys.storage == Storage::bfloat) return split_columns_of<Bfloat>(keys, factor, tiles);
  split_columns_of<float>(keys, factor, tiles);
}

template <class Stored>
void split_values_of(const Bf16x3Values& v, std::uint16_t* tiles, std::ptrdiff_t next) {
  const auto all = static_cast<std::ptrdiff_t>(v.count), width = static_cast<std::ptrdiff_t>(v.columns);
  const V<float> scale = set1<float>(value_scale);
  for (std::ptrdiff_t first = 0; first < (all + 63) / 64 * 64; first += step, tiles += tile)
    for (std::ptrdiff_t p = 0; p < side; ++p) {
      const std::ptrdiff_t j = first + p;
      const Stored *const row = static_cast<const Stored*>(v.values) + j * v.stride, *const later =
                                                                                         row + side * v.stride;
      std::uint16_t* out = tiles + p * step;
      std::ptrdiff_t c = 0;
      if (j + side < all)
        for (; width - c >= side; c += side, out += next)
          store_pieces(widen(row + c) * scale, widen(later + c) * scale, out);
      for (; c < width; c += side, out += next)
        store_pieces(j < all ? load_present(row + c, width - c) * scale : V<float>{},
                     j + side < all ? load_present(later + c, width - c) * scale : V<float>{}, out);
    }
}

void split_values(const Bf16x3Values& values, std::uint16_t* tiles, std::ptrdiff_t next) {
  if (values.storage == Storage::half) return split_values_of<Half>(values, tiles, next);
  if (values.storage == Storage::bfloat) return split_values_of<Bfloat>(values, tiles, next);
  split_values_of<float>(values, tiles, next);
}

// ---- weights -------------------------------------------------------------------------------------------------------

/// Weights of some rows, 64 of a row at a time.
class Weigher {
 public:
  explicit Weigher(const Bf16x3Weights& weights) : s_(weights), w_(s_.rows) {
    const bool adjusts = w_.softcap != 0 || w_.bias != nullptr;
    factor_ = adjusts ? 1 : s_.factor;
    for (std::size_t r = 0; r < w_.rows; ++r) {
      const auto at = static_cast<std::ptrdiff_t>(r) * w_.stride;
      float* const row = w_.scores + at;
      start_[r] = s_.starts != nullptr ? s_.starts[r] : 0;
      float top;
      if (adjusts)
        top = adjust(r, row);
      else if (excludes_columns<float>(w_, r))
        top = limit(r, row);
      else
        top = w_.maxima != nullptr ? reduce_max<float>(load<float>(w_.maxima + at)) : prepare_row<float>(w_, r, row);
      if (adjusts) start_[r] = 0;
      maximum_[r] = __builtin_fmaf(top, factor_, start_[r]);
    }
  }
  std::size_t parts() const { return w_.rows * (w_.columns / panel); }
  __attribute__((always_inline)) void operator()() {
    if (r_ == w_.rows) return;
    if (excludes_columns<float>(w_, r_))
      weigh<true>();
    else
      weigh<false>();
    j_ += panel;
    if (j_ < w_.columns) return;
    total_[r_] = reduce_add<float>(sums_[0] + sums_[1] + sums_[2] + sums_[3]);
    for (V<float>& sum : sums_) sum = V<float>{};
    j_ = 0;
    ++r_;
  }
  void end() {
    while (r_ < w_.rows) operator()();
    join<float>(w_.rows, w_.maximum, w_.total, maximum_, total_, w_.keep, w_.add);
  }

 private:
  static constexpr int vectors = 4;
  static constexpr std::size_t panel = vectors * side;

  /// A score beyond the range becomes NaN, and the total of its row with it: the score of a key that takes no part is
  /// -inf, and what is -inf here may have been more, had its sum gone another way.
  static V<float> within_range(V<float> score) { return score + (score - score); }

  /// Scores with their factor, softcap and bias; returns their maximum.
  float adjust(std::size_t r, float* row) {
    const V<float> factor = set1<float>(s_.factor), start = set1<float>(start_[r]);
    for (std::size_t j = 0; j < w_.columns; j += side)
      store<float>(row + j, fma(within_range(load<float>(row + j)), factor, start));
    return prepare_row<float>(w_, r, row);
  }

  /// Columns that take no part become -inf; returns the maximum of the others.
  float limit(std::size_t r, float* row) {
    const __m512i first = _mm512_set1_epi32(static_cast<int>(w_.first[r]));
    const __m512i count = _mm512_set1_epi32(static_cast<int>(w_.last[r] - w_.first[r]));
    const __m512i sixteen = _mm512_set1_epi32(static_cast<int>(side));
    __m512i column = _mm512_sub_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), first);
    const V<float> minus_infinity = set1<float>(-infinity<float>);
    V<float> tops[2] = {minus_infinity, minus_infinity};
    for (std::size_t j = 0; j < w_.columns; j += 2 * side)
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half, column = _mm512_add_epi32(column, sixteen)) {
        float* const scores = row + j + half * side;
        const auto score = (V<float>)_mm512_mask_mov_ps((__m512)minus_infinity, _mm512_cmplt_epu32_mask(column, count),
                                                        (__m512)within_range(load<float>(scores)));
        store<float>(scores, score);
        tops[half] = max(score, tops[half]);
      }
    return reduce_max<float>(max(tops[0], tops[1]));
  }

  template <bool excludes>
  __attribute__((always_inline)) void weigh() {
    const auto r = static_cast<std::ptrdiff_t>(r_), j = static_cast<std::ptrdiff_t>(j_);
    const float* const scores = w_.scores + r * w_.stride + j;
    const V<float> base = set1<float>(maximum_[r_] == -infinity<float> ? 0 : maximum_[r_]);  // no key: all e^-inf
    const V<float> start = set1<float>(start_[r_]);
    V<float> s[vectors], weight[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      s[v] = load<float>(scores + v * side);
      weight[v] = (fma(s[v], set1<float>(factor_), start) - base) * set1<float>(log2_e<float>);
    }
    to_powers_of_two<float>(weight);
    if constexpr (excludes)
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v)
        weight[v] = select<float>(s[v] == set1<float>(-infinity<float>), set1<float>(-0.0f), weight[v]);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      sums_[v] = sums_[v] + weight[v];
      if constexpr (!excludes) sums_[v] = fma(s[v], V<float>{}, sums_[v]);  // NaN where a score is beyond the range
    }
    std::uint16_t* const out = s_.tiles + r / side * s_.next + j / step * tile + r % side * step;
    store_pieces(weight[0], weight[1], out);
    store_pieces(weight[2], weight[3], out + tile);
  }

  const Bf16x3Weights& s_;
  const WeightRows<float>& w_;
  float factor_;
  V<float> sums_[vectors] = {};
  float start_[most_weight_rows], maximum_[most_weight_rows], total_[most_weight_rows];
  std::size_t r_ = 0, j_ = 0;
};

/// Rows of scores become what weights are made of.
void finish_scores(float* scores, std::ptrdiff_t stride, std::size_t rows, std::size_t columns, float factor,
                   const float* starts) {
  for (std::size_t r = 0; r < rows; ++r, scores += stride)
    for (std::size_t j = 0; j < columns; j += side)
      store<float>(scores + j, fma(load<float>(scores + j), set1<float>(factor), set1<float>(starts[r])));
}

// ---- scores --------------------------------------------------------------------------------------------------------

/// Does a task's `parts` evenly beside so many products.
template <class Task>
struct Paced {
  Task& task;
  std::size_t parts, products, due = 0;

  __attribute__((always_inline)) void operator()() {
    for (due += parts; due >= products; due -= products) task();
  }
};

constexpr std::size_t products_of_step = 6;

/// Fetches lines into the L2 cache.
class Fetcher {
 public:
  explicit Fetcher(const LinesAhead& lines) : l_(lines) {}
  std::size_t parts() const { return l_.rows * ((l_.bytes + line - 1) / line); }
  __attribute__((always_inline)) void operator()() {
    __builtin_prefetch(l_.row + byte_, 0, 2);
    byte_ += line;
    if (byte_ < l_.bytes) return;
    byte_ = 0;
    l_.row += l_.stride;
  }

 private:
  static constexpr std::size_t line = 64;
  LinesAhead l_;
  std::size_t byte_ = 0;
};

/// What goes on beside the tiles of all products.
struct Beside {
  Paced<Weigher> weights;
  Paced<Fetcher> lines;

  __attribute__((always_inline)) void operator()() {
    weights();
    lines();
  }
};

/// Scores of 32 keys join the maxima, row by row.
class Maxima {
 public:
  Maxima(const Bf16x3Scores& s, std::size_t key) : s_(s), scores_(s.scores + key), maxima_(s.maxima) {}
  __attribute__((always_inline)) void operator()() {
    if (r_ == s_.rows) return;
    store<float>(maxima_, max(load<float>(scores_), max(load<float>(scores_ + side), load<float>(maxima_))));
    ++r_;
    scores_ += s_.stride;
    maxima_ += s_.stride;
  }

 private:
  const Bf16x3Scores& s_;
  const float* scores_;
  float* maxima_;
  std::size_t r_ = 0;
};

template <int R, bool starts>
void score_rows(const Bf16x3Scores& s, Beside& beside) {
  const std::ptrdiff_t next = static_cast<std::ptrdiff_t>(s.steps) * tile;
  // The maxima of one product are looked for beside the next one.
  for (std::size_t key = 0; key < s.columns; key += 2 * side) {
    Maxima before(s, key == 0 ? 0 : key - 2 * side);
    Paced<Maxima> maxima{before, key == 0 ? 0 : s.rows, products_of_step * s.steps};
    if constexpr (starts)
      load_block<R, 2>(s.starts + key, 0);  // the same in all rows
    else
      zero_block<R, 2>();
    multiply_pieces<R, 2>(
        s.queries, next, s.keys + static_cast<std::ptrdiff_t>(key / side) * next, next,
        s.steps, [&]() __attribute__((always_inline)) {
          maxima();
          beside();
        });
    store_block<R, 2>(s.scores + key, s.stride);
  }
  Maxima last(s, s.columns - 2 * side);
  for (std::size_t r = 0; r < s.rows; ++r) last();
}

// ---- pooling -------------------------------------------------------------------------------------------------------

template <int R, int N>
ATTN_INLINE void pool_columns(const Bf16x3Pool& p, std::size_t column, Beside& beside) {
  float* const sums = p.sums + column;
  if (p.continues)
    load_block<R, N>(sums, p.stride);
  else
    zero_block<R, N>();
  multiply_pieces<R, N>(
      p.weights, p.weights_next, p.values + static_cast<std::ptrdiff_t>(column) / side * p.values_next, p.values_next,
      p.steps, [&]() __attribute__((always_inline)) { beside(); });
  store_block<R, N>(sums, p.stride);
}

template <int R>
void pool_rows(const Bf16x3Pool& p, Beside& beside) {
  std::size_t column = 0;
  for (; column + 2 * side <= p.columns; column += 2 * side) pool_columns<R, 2>(p, column, beside);
  if (column < p.columns) pool_columns<R, 1>(p, column, beside);
}

// ---- all of it -----------------------------------------------------------------------------------------------------

void advance(const Bf16x3Scores& s, const Bf16x3Weights& w, const Bf16x3Pool& p, const LinesAhead& lines) {
  Weigher weigher(w);
  const std::size_t of_scores = s.rows > 0 ? products_of_step * s.steps * (s.columns / (2 * side)) : 0;
  const std::size_t of_pool = p.rows > 0 ? products_of_step * p.steps * ((p.columns + 2 * side - 1) / (2 * side)) : 0;
  Fetcher fetcher(lines);
  Beside beside{{weigher, weigher.parts(), of_scores + of_pool}, {fetcher, fetcher.parts(), of_scores + of_pool}};
  if (s.rows > side)
    s.starts != nullptr ? score_rows<2, true>(s, beside) : score_rows<2, false>(s, beside);
  else if (s.rows > 0)
    s.starts != nullptr ? score_rows<1, true>(s, beside) : score_rows<1, false>(s, beside);
  if (p.rows > side)
    pool_rows<2>(p, beside);
  else if (p.rows > 0)
    pool_rows<1>(p, beside);
  weigher.end();
}

std::uint32_t join_pooled(const Bf16x3Pooled& p) {
  const auto columns = static_cast<std::ptrdiff_t>(p.columns);
  const V<float> unit = set1<float>(1 / value_scale);
  std::uint32_t left = 0;
  for (std::size_t r = 0; r < p.rows; ++r) {
    const float* const sums = p.sums + static_cast<std::ptrdiff_t>(r) * p.stride;
    float* const out = p.out + static_cast<std::ptrdiff_t>(r) * p.out_stride;
    if (p.leaves_infinite) {
      // x * 0 is 0 for a number and NaN for infinity and NaN.
      V<float> check = {};
      for (std::ptrdiff_t c = 0; c < columns; c += side) check = check + load<float>(sums + c) * V<float>{};
      if (reduce_add<float>(check) != 0) {
        left |= std::uint32_t{1} << r;
        continue;
      }
    }
    const V<float> keep = set1<float>(p.keep[r]), add = set1<float>(p.add[r]);
    for (std::ptrdiff_t c = 0; c < columns; c += side)
      store<float>(out + c, fma(load<float>(sums + c) * unit, add, load<float>(out + c) * keep));
  }
  return left;
}

}  // namespace
}  // namespace attn::simd::amxbf16

#include <attn/simd/kernels/attention_bf16x3_rows.hpp>

namespace attn::simd::amxbf16 {

extern const Bf16x3AttentionKernels attention_bf16x3 = {begin,         end,        split_rows,  split_columns,
                                                        split_values,  advance,    join_pooled, finish_scores,
                                                        stream_scores, stream_pool};

}  // namespace attn::simd::amxbf16
#endif
