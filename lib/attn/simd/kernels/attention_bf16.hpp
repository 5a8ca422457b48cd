// The kernels of attention_bf16.hpp. Included by attention_bf16_<instruction set>.cpp alone, which defines before it,
// in the namespace of the instruction set,
//
//     begin(), end()
//     product<R, N>(a, a_stride, b, b_step, b_next, steps, y, y_stride)
//     stream_scores_kernel, stream_pool_kernel: see attention_bf16.hpp
//
// y (R * 16, N * 16) = a (R * 16, steps * 32), row-major, times N columns of tiles, the tile of a step at
// b + step * b_step + n * b_next. Strides count elements.

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

constexpr std::ptrdiff_t tile_size = 512;  // elements

// ---- packing -------------------------------------------------------------------------------------------------------

void pack_keys(const std::uint16_t* keys, std::ptrdiff_t stride, std::size_t count, std::size_t depth,
               std::uint16_t* tiles) {
  const auto all = static_cast<std::ptrdiff_t>(count), width = static_cast<std::ptrdiff_t>(depth);
  for (std::ptrdiff_t first = 0; first < (all + 31) / 32 * 32; first += 16)
    for (std::ptrdiff_t c = 0; c < width; c += 32, tiles += tile_size) {
      V<float> rows[16];
#pragma GCC unroll 16
      for (int j = 0; j < 16; ++j) {
        const std::uint16_t* const key = keys + (first + j) * stride + c;
        rows[j] = first + j < all ? load_pairs(key, width - c) : V<float>{};
        __builtin_prefetch(key + 16 * stride);  // of the next keys
      }
      transpose<float>(rows);
#pragma GCC unroll 16
      for (int p = 0; p < 16; ++p) store<float>(reinterpret_cast<float*>(tiles + p * 32), rows[p]);
    }
}

void pack_values(const std::uint16_t* values, std::ptrdiff_t stride, std::size_t count, std::size_t columns,
                 std::size_t steps, std::uint16_t* tiles) {
  const auto all = static_cast<std::ptrdiff_t>(count), width = static_cast<std::ptrdiff_t>(columns);
  // Row by row, as they lie in memory: by columns, lines would be asked for in an order that nobody foresees.
  for (std::ptrdiff_t j = 0; j < static_cast<std::ptrdiff_t>(steps) * 32; j += 2, tiles += 32) {
    const std::uint16_t* const row = values + j * stride;
    std::uint16_t* tile = tiles;
    for (std::ptrdiff_t c = 0; c < width; c += 16, tile += static_cast<std::ptrdiff_t>(steps) * tile_size) {
      const __m512i even = j < all ? load_columns(row + c, width - c) : __m512i{};
      const __m512i odd = j + 1 < all ? load_columns(row + stride + c, width - c) : __m512i{};
      _mm512_storeu_si512(tile, pair_columns(even, odd));
    }
  }
}

// ---- scores --------------------------------------------------------------------------------------------------------

void scores(const Bf16Scores& s) {
  const auto step = static_cast<std::ptrdiff_t>(s.steps), depth = step * 32;
  for (std::size_t key = s.first; key < s.last; key += 32) {
    const std::uint16_t* const tiles = s.keys + static_cast<std::ptrdiff_t>(key / 16) * step * tile_size;
    const auto multiply = s.rows > 16 ? product<2, 2> : product<1, 2>;
    multiply(s.queries, depth, tiles, tile_size, step * tile_size, s.steps, s.scores + key, s.stride);
  }
}

// ---- weights -------------------------------------------------------------------------------------------------------

ATTN_INLINE V<float> low_halves(__m512i pairs) { return (V<float>)_mm512_slli_epi32(pairs, 16); }
ATTN_INLINE V<float> high_halves(__m512i pairs) {
  return (V<float>)_mm512_and_si512(pairs, _mm512_set1_epi32(static_cast<int>(0xffff0000u)));
}

/// M vectors of scores become weights in bf16, whose even and odd ones add to their sums.
template <int M, bool excludes>
ATTN_INLINE void weigh_vectors(const float* scores, V<float> maximum, V<float> unit, std::uint16_t* weights,
                               V<float>& even, V<float>& odd) {
  V<float> s[M], weight[M];
#pragma GCC unroll 4
  for (int v = 0; v < M; ++v) {
    s[v] = load<float>(scores + v * 16);
    weight[v] = (s[v] - maximum) * unit;
  }
  to_powers_of_two<float>(weight);
  if constexpr (excludes)
    for (int v = 0; v < M; ++v)
      weight[v] = select<float>(s[v] == set1<float>(-infinity<float>), set1<float>(-0.0f), weight[v]);
#pragma GCC unroll 4
  for (int v = 0; v < M; v += 2) {
    const auto pairs = (__m512i)_mm512_cvtne2ps_pbh((__m512)weight[v + 1], (__m512)weight[v]);
    even = even + low_halves(pairs);
    odd = odd + high_halves(pairs);
    _mm512_storeu_si512(weights + v * 16, pairs);
  }
}

template <bool excludes>
ATTN_INLINE float weigh_row(float* row, std::size_t columns, float top, float factor) {
  const V<float> maximum = set1<float>(top), unit = set1<float>(factor * log2_e<float>);
  auto* const out = reinterpret_cast<std::uint16_t*>(row);
  V<float> even = {}, odd = {};
  std::size_t j = 0;
  for (; j + 64 <= columns; j += 64) weigh_vectors<4, excludes>(row + j, maximum, unit, out + j, even, odd);
  if (j < columns) weigh_vectors<2, excludes>(row + j, maximum, unit, out + j, even, odd);
  return reduce_add<float>(even + odd);
}

void weights(const WeightRows<float>& w, float factor) {
  float top[bf16_rows], maximum[bf16_rows], total[bf16_rows];
  // A difference of products beyond the range of f32 makes a weight of 0: with a smaller factor it might not.
  constexpr float smallest = 0x1p-100f;
  const bool adjusts = w.softcap != 0 || w.bias != nullptr || !(factor >= smallest);
  const float left = adjusts ? 1 : factor;
  for (std::size_t r = 0; r < w.rows; ++r) {
    float* const row = w.scores + static_cast<std::ptrdiff_t>(r) * w.stride;
    if (adjusts)
      for (std::size_t j = 0; j < w.columns; j += 16) store<float>(row + j, load<float>(row + j) * set1<float>(factor));
    top[r] = prepare_row<float>(w, r, row);
    maximum[r] = top[r] * left;
  }
  for (std::size_t r = 0; r < w.rows; ++r) {
    float* const row = w.scores + static_cast<std::ptrdiff_t>(r) * w.stride;
    const float base = top[r] == -infinity<float> ? 0 : top[r];  // no key: all weights e^-inf
    total[r] = excludes_columns<float>(w, r) ? weigh_row<true>(row, w.columns, base, left)
                                             : weigh_row<false>(row, w.columns, base, left);
  }
  join<float>(w.rows, w.maximum, w.total, maximum, total, w.keep, w.add);
}

// ---- pooling -------------------------------------------------------------------------------------------------------

/// Row r again, without the keys that take no part. For values that are NaN or infinite.
template <int N>
void pool_carefully(const Bf16Pool& p, std::size_t r, const std::uint16_t* tiles, float* out) {
  alignas(64) std::uint16_t clean[bf16_keys / 32 * N * tile_size];
  alignas(64) float y[16 * N * 16];
  const std::uint16_t* const weights = p.weights + static_cast<std::ptrdiff_t>(r) * p.weights_stride;
  const auto steps = static_cast<std::ptrdiff_t>(p.keys / 32), all_steps = static_cast<std::ptrdiff_t>(p.steps);
  for (std::ptrdiff_t n = 0; n < N; ++n)
    for (std::ptrdiff_t at = 0; at < steps * tile_size; ++at) {
      const std::ptrdiff_t key = at / tile_size * 32 + at % tile_size / 32 * 2 + at % 2;
      clean[n * steps * tile_size + at] =
          weights[key] == excluded_weight ? std::uint16_t{0} : tiles[n * all_steps * tile_size + at];
    }
  // The tile of rows that r lies in, so that nothing behind the rows is read.
  const std::size_t first_row = r / 16 * 16;
  product<1, N>(p.weights + static_cast<std::ptrdiff_t>(first_row) * p.weights_stride, p.weights_stride, clean,
                tile_size, steps * tile_size, p.keys / 32, y, N * 16);
  for (int v = 0; v < N; ++v)
    store<float>(out + v * 16, fma(load<float>(y + (r - first_row) * N * 16 + v * 16), set1<float>(p.add[r]),
                                   load<float>(out + v * 16) * set1<float>(p.keep[r])));
}

template <int R, int N>
void pool_columns(const Bf16Pool& p, std::size_t column) {
  alignas(64) float y[R * 16 * N * 16];
  const auto steps = static_cast<std::ptrdiff_t>(p.steps);
  const std::uint16_t* const tiles = p.values + static_cast<std::ptrdiff_t>(column / 16) * steps * tile_size;
  product<R, N>(p.weights, p.weights_stride, tiles, tile_size, steps * tile_size, p.keys / 32, y, N * 16);
  for (std::size_t r = 0; r < p.rows; ++r) {
    float* const out = p.out + static_cast<std::ptrdiff_t>(r) * p.out_stride + column;
    const float* const block = y + r * N * 16;
    if (p.excludes) {
      // x * 0 is 0 for a number and NaN for infinity and NaN.
      V<float> check = {};
      for (int v = 0; v < N; ++v) check = check + load<float>(block + v * 16) * V<float>{};
      if (reduce_add<float>(check) != 0) {
        pool_carefully<N>(p, r, tiles, out);
        continue;
      }
    }
    const V<float> keep = set1<float>(p.keep[r]), add = set1<float>(p.add[r]);
#pragma GCC unroll 2
    for (int v = 0; v < N; ++v)
      store<float>(out + v * 16, fma(load<float>(block + v * 16), add, load<float>(out + v * 16) * keep));
  }
}

template <int R>
void pool_rows(const Bf16Pool& p) {
  std::size_t column = 0;
  for (; column + 32 <= p.columns; column += 32) pool_columns<R, 2>(p, column);
  if (column < p.columns) pool_columns<R, 1>(p, column);
}

void pool(const Bf16Pool& p) { p.rows > 16 ? pool_rows<2>(p) : pool_rows<1>(p); }

}  // namespace

extern const Bf16AttentionKernels attention_bf16 = {
    begin, end, pack_keys, pack_values, scores, weights, pool, stream_scores_kernel, stream_pool_kernel};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
