#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL amxbf16
#define ATTN_SIMD_BYTES 64
#include <attn/simd/gemm_bf16x3.hpp>
#include <attn/simd/vector/bf16x3_rows.hpp>
#include <attn/simd/vector/transpose.hpp>

namespace attn::simd::amxbf16 {
namespace {

constexpr auto side = static_cast<std::ptrdiff_t>(tile_side);
constexpr auto depth_of_step = static_cast<std::ptrdiff_t>(bf16x3_step);
constexpr auto panel = static_cast<std::ptrdiff_t>(bf16x3_columns);
constexpr std::ptrdiff_t pair_row = 2 * side;  // elements of a row of a tile
constexpr auto step_elements = static_cast<std::ptrdiff_t>(pieces_elements);
constexpr std::ptrdiff_t part_elements = static_cast<std::ptrdiff_t>(bf16x3_part_steps) * step_elements;

std::size_t steps_of(std::size_t depth) { return (depth + bf16x3_step - 1) / bf16x3_step; }

/// The first n elements, none where n <= 0.
template <class Stored>
ATTN_INLINE V<float> some(const Stored* p, std::ptrdiff_t n) {
  return n >= side ? widen(p) : n > 0 ? widen_n<float>(p, n) : V<float>{};
}

/// The larger magnitude of each lane.
ATTN_INLINE V<float> larger(V<float> a, V<float> b) {
  constexpr int of_magnitudes = 3, positive = 8;
  return (V<float>)_mm512_range_ps((__m512)a, (__m512)b, of_magnitudes | positive);
}

// ---- operands ------------------------------------------------------------------------------------------------------

void split(const float* x, std::ptrdiff_t stride, std::size_t rows, std::size_t depth, std::uint16_t* pieces) {
  const auto all = static_cast<std::ptrdiff_t>(depth);
  const auto tiles = static_cast<std::ptrdiff_t>(bf16x3_tiles(rows));
  for (std::size_t r = 0; r < rows; ++r, x += stride) {
    const auto row = static_cast<std::ptrdiff_t>(r);
    std::uint16_t* to = pieces + row / side * part_elements + row % side * pair_row;
    for (std::ptrdiff_t c = 0; c < all; c += depth_of_step, to += step_elements) {
      if (c > 0 && c % static_cast<std::ptrdiff_t>(bf16x3_part) == 0) to += (tiles - 1) * part_elements;
      if (all - c >= depth_of_step)
        store_pieces(load(x + c), load(x + c + side), to);
      else
        store_pieces(some(x + c, all - c), some(x + c + side, all - c - side), to);
    }
  }
}

/// Some steps of B, of which `depth` rows and `columns` columns are there, into tiles of columns, so far apart. Done
/// for each pair of depth: beside(). Returns their largest magnitudes, if anybody asks.
template <int Tiles, std::ptrdiff_t apart, bool finds_largest, class Stored, class Beside>
V<float> split_columns(const Stored* b, std::ptrdiff_t stride, std::ptrdiff_t columns, std::ptrdiff_t depth,
                       std::uint16_t* tiles, Beside beside) {
  V<float> top[2] = {};
  for (; depth > 0; depth -= depth_of_step, b += depth_of_step * stride, tiles += step_elements) {
    const bool is_whole = depth >= depth_of_step && columns >= Tiles * side;
    for (std::ptrdiff_t p = 0; p < side; ++p) {
      const Stored *const upper = b + p * stride, *const lower = upper + side * stride;
      beside();
#pragma GCC unroll 4
      for (int n = 0; n < Tiles; ++n) {
        const std::ptrdiff_t left = columns - n * side;
        const V<float> first = is_whole ? widen(upper + n * side) : some(upper + n * side, p < depth ? left : 0);
        const V<float> second =
            is_whole ? widen(lower + n * side) : some(lower + n * side, p + side < depth ? left : 0);
        if constexpr (finds_largest) {
          top[0] = larger(top[0], first);
          top[1] = larger(top[1], second);
        }
        store_pieces<pieces_of<Stored>>(first, second, tiles + n * apart + p * pair_row);
      }
    }
  }
  return larger(top[0], top[1]);
}

// ---- products ------------------------------------------------------------------------------------------------------

/// Are the first n lanes finite, and of at least such a magnitude?
ATTN_INLINE bool is_sound(V<float> sums, std::ptrdiff_t n, float least) {
  const auto lanes = static_cast<__mmask16>(n >= side ? 0xffff : (1 << n) - 1);
  const auto size = (__m512)abs<float>(sums);
  const __mmask16 at_least = _mm512_mask_cmp_ps_mask(lanes, size, (__m512)set1<float>(least), _CMP_GE_OQ);
  return _mm512_mask_cmp_ps_mask(at_least, size, (__m512)set1<float>(__FLT_MAX__), _CMP_LE_OQ) == lanes;
}

/// Rows and columns of a block, the first and the one behind the last.
struct BlockPlace {
  std::ptrdiff_t first = 0, last = 0, column = 0;
};

/// y = sums + bias for a block that has ended.
void end_block(const Bf16x3Product& p, const BlockPlace& at) {
  const auto columns = static_cast<std::ptrdiff_t>(p.columns);
  for (std::ptrdiff_t c = at.column; c < columns && c < at.column + 2 * side; c += side) {
    const std::ptrdiff_t left = columns - c;
    const V<float> bias = p.bias != nullptr ? some(p.bias + c, left) : V<float>{};
    for (std::ptrdiff_t row = at.first; row < at.last; ++row) {
      const V<float> sums = load(p.sums + row * panel + c);
      if (!is_sound(sums, left, p.least[row])) p.has_unsound[row] = true;
      float* const to = p.y + row * p.y_stride + c;
      if (left >= side)
        store<float>(to, sums + bias);
      else
        store_n<float>(to, sums + bias, left);
    }
  }
}

/// A block, two tiles of rows times N of columns, of a part of the depth. Beside it lines are fetched, a few after
/// each product of pieces: `lines` of what is multiplied next, and the rows of y, where it ends, two at a time. Nothing
/// is written: a tile's row is not read while a store is under way whose address has the same low 12 bits.
template <int N, int P>
ATTN_INLINE const unsigned char* block(const std::uint16_t* a, const std::uint16_t* b, std::size_t steps, float* sums,
                                       bool accumulate, const unsigned char* next, std::size_t lines, const float* y,
                                       std::ptrdiff_t y_stride) {
  accumulate ? load_block<2, N>(sums, panel) : zero_block<2, N>();
  multiply_pieces<2, N, P>(
      a, part_elements, b, part_elements, steps, [&]() __attribute__((always_inline)) {
        for (std::size_t i = 0; i < lines; ++i, next += 64) __builtin_prefetch(next, 0, 2);
        if (y == nullptr) return;
        __builtin_prefetch(y, 1);
        __builtin_prefetch(y + side, 1);
        __builtin_prefetch(y + y_stride, 1);
        __builtin_prefetch(y + y_stride + side, 1);
        y += 2 * y_stride;
      });
  store_block<2, N>(sums, panel);
  return next;
}

/// A part of B is split, pair by pair of its tiles of columns, and multiplied with all rows while it stays in the
/// nearest cache.
template <class Stored>
void multiply_many(const Bf16x3Product& p) {
  constexpr int P = pieces_of<Stored>, R = 2;
  const TileScope scope;
  alignas(64) std::uint16_t tiles[2 * part_elements];
  const auto* b = static_cast<const Stored*>(p.b);
  const auto rows = static_cast<std::ptrdiff_t>(p.rows), columns = static_cast<std::ptrdiff_t>(p.columns);
  const auto row_tiles = static_cast<std::ptrdiff_t>(bf16x3_tiles(p.rows));
  const auto blocks = static_cast<std::size_t>(row_tiles / R * ((columns + 2 * side - 1) / (2 * side)));
  const std::uint16_t* a = p.pieces;
  BlockPlace ended;
  for (std::size_t k = 0; k < p.depth; k += bf16x3_part, a += row_tiles * part_elements) {
    const std::size_t depth = p.depth - k < bf16x3_part ? p.depth - k : bf16x3_part, steps = steps_of(depth);
    const bool ends = p.y != nullptr && k + bf16x3_part >= p.depth;
    const Stored* const following = b + static_cast<std::ptrdiff_t>(bf16x3_part) * p.b_stride;
    const auto* next = static_cast<const unsigned char*>(k + bf16x3_part < p.depth ? following : p.next);
    const std::size_t part_lines = bf16x3_part * static_cast<std::size_t>(p.b_stride) * sizeof(Stored) / 64;
    const std::size_t products = blocks * steps * piece_pair_count;
    const std::size_t lines = next == nullptr ? 0 : (part_lines + products - 1) / products;
    for (std::ptrdiff_t column = 0; column < columns; column += 2 * side) {
      const bool is_pair = columns - column > side;
      const auto deep = static_cast<std::ptrdiff_t>(depth);
      const auto nothing = [] {};
      if (is_pair)
        split_columns<2, part_elements, false>(b + column, p.b_stride, columns - column, deep, tiles, nothing);
      else
        split_columns<1, part_elements, false>(b + column, p.b_stride, columns - column, deep, tiles, nothing);
      for (std::ptrdiff_t tile = 0; tile < row_tiles; tile += R) {
        const std::ptrdiff_t first = tile * side, last = first + R * side < rows ? first + R * side : rows;
        const std::uint16_t* const left = a + tile * part_elements;
        float* const sums = p.sums + first * panel + column;
        const float* const y = ends ? p.y + first * p.y_stride + column : nullptr;
        const bool accumulate = p.accumulate || k > 0;
        next = is_pair ? block<2, P>(left, tiles, steps, sums, accumulate, next, lines, y, p.y_stride)
                       : block<1, P>(left, tiles, steps, sums, accumulate, next, lines, y, p.y_stride);
        if (!ends) continue;
        // The one before: its sums are in the cache, where those of this one are still under way.
        end_block(p, ended);
        ended = {first, last, column};
      }
    }
    b = following;
  }
  end_block(p, ended);
}

/// Rows of so many bytes, line by line.
class LinesOfRows {
 public:
  LinesOfRows(const void* row, std::ptrdiff_t stride, std::size_t bytes)
      : row_(static_cast<const unsigned char*>(row)), stride_(stride), bytes_(bytes) {}
  /// Asks for the next ones.
  __attribute__((always_inline)) void fetch(std::size_t lines) {
    for (; lines > 0; --lines) {
      __builtin_prefetch(row_ + byte_, 0, 2);
      byte_ += 64;
      if (byte_ < bytes_) continue;
      byte_ = 0;
      row_ += stride_;
    }
  }

 private:
  const unsigned char* row_;
  std::ptrdiff_t stride_;
  std::size_t bytes_, byte_ = 0;
};

/// One tile of rows times a panel, which is read once: half a part of its depth at a time, whose tiles of all columns
/// stay in the nearest cache.
template <class Stored, bool finds_largest>
void multiply_few(const Bf16x3Product& p) {
  constexpr int P = pieces_of<Stored>, N = static_cast<int>(bf16x3_columns / tile_side);
  constexpr std::size_t steps_at_once = 2;
  constexpr auto depth_at_once = static_cast<std::ptrdiff_t>(steps_at_once * bf16x3_step);
  constexpr auto apart = static_cast<std::ptrdiff_t>(steps_at_once) * step_elements;
  const std::size_t rows = p.rows, all = tile_side;
  configure_tiles({rows, rows, rows, rows, rows, all, all, all}, {all, all, all, all, all, all, all, all});
  alignas(64) std::uint16_t tiles[N * apart];
  const auto* b = static_cast<const Stored*>(p.b);
  const auto columns = static_cast<std::ptrdiff_t>(p.columns);
  // Half of the lines of later steps while these are split, half while they are multiplied.
  const std::size_t row_bytes = (p.columns * sizeof(Stored) + 63) / 64 * 64;
  const std::size_t lines = static_cast<std::size_t>(depth_at_once) * row_bytes / 64;
  LinesOfRows later(b + 2 * depth_at_once * p.b_stride, p.b_stride * static_cast<std::ptrdiff_t>(sizeof(Stored)),
                    row_bytes);
  const std::size_t beside_pairs = (lines / 2 + steps_at_once * tile_side - 1) / (steps_at_once * tile_side);
  const std::size_t products = steps_at_once * piece_pair_count;
  const std::size_t beside_products = (lines / 2 + products - 1) / products;
  const std::uint16_t* a = p.pieces;
  V<float> top = {};
  zero_block<2, 2>();
  for (auto depth = static_cast<std::ptrdiff_t>(p.depth); depth > 0; depth -= depth_at_once, a += apart) {
    const Stored* const following = b + depth_at_once * p.b_stride;
    const std::size_t steps = depth > depth_of_step ? 2 : 1;
    top = larger(top, split_columns<N, apart, finds_largest>(
                          b, p.b_stride, columns, depth < depth_at_once ? depth : depth_at_once,
                          tiles, [&]() __attribute__((always_inline)) { later.fetch(beside_pairs); }));
    multiply_row_of_tiles<P>(
        a, tiles, apart, steps, [&]() __attribute__((always_inline)) { later.fetch(beside_products); });
    b = following;
  }
  tile_store<0>(p.sums, 4 * panel);
  tile_store<1>(p.sums + side, 4 * panel);
  tile_store<2>(p.sums + 2 * side, 4 * panel);
  tile_store<3>(p.sums + 3 * side, 4 * panel);
  release_tiles();
  if constexpr (finds_largest) *p.largest = reduce_max<float>(top);
  for (std::ptrdiff_t column = 0; column < columns && p.y != nullptr; column += 2 * side)
    end_block(p, {0, static_cast<std::ptrdiff_t>(rows), column});
}

template <class Stored>
void multiply(const Bf16x3Product& p) {
  if (p.rows > bf16x3_few_rows)
    multiply_many<Stored>(p);
  else if (p.largest != nullptr)
    multiply_few<Stored, true>(p);
  else
    multiply_few<Stored, false>(p);
}

// ---- one or two rows -----------------------------------------------------------------------------------------------

void split_row(const float* x, std::size_t depth, float* numbers) {
  auto* step = reinterpret_cast<StepOfRow*>(numbers);
  for (auto left = static_cast<std::ptrdiff_t>(depth); left > 0; left -= depth_of_step, x += depth_of_step)
    split_step_of_row(x, left, *step++);
}

template <int R>
struct StepsOfRows {
  const StepOfRow* at[R];

  StepsOfRows(const Bf16x3RowProduct& p) {
    for (int r = 0; r < R; ++r)
      at[r] = reinterpret_cast<const StepOfRow*>(p.numbers) + static_cast<std::size_t>(r) * steps_of(p.depth);
  }
  void advance() {
    for (int r = 0; r < R; ++r) ++at[r];
  }
};

template <int R>
ATTN_INLINE void store_sums(const Bf16x3RowProduct& p, std::ptrdiff_t column, std::ptrdiff_t columns,
                            const V<float> (&sums)[R]) {
  for (int r = 0; r < R; ++r) {
    float* const y = p.y + r * p.y_stride + column;
    if (columns >= side)
      store<float>(y, sums[r]);
    else
      store_n<float>(y, sums[r], columns);
  }
}

/// Columns that lie side by side, a panel of them together.
template <int R, bool finds_largest, class Stored>
ATTN_INLINE void multiply_columns(const Bf16x3RowProduct& p) {
  constexpr std::ptrdiff_t line = 64 / static_cast<std::ptrdiff_t>(sizeof(Stored));
  const auto all = static_cast<std::ptrdiff_t>(p.columns);
  const bool is_packed = p.in_stride <= panel;
  for (std::ptrdiff_t column = 0; column < all; column += panel) {
    const Stored* b = static_cast<const Stored*>(p.b) + column;
    const std::ptrdiff_t columns = all - column < panel ? all - column : panel;
    V<float> sums[panel / side][R] = {}, top = {};
    StepsOfRows<R> steps(p);
    for (auto depth = static_cast<std::ptrdiff_t>(p.depth); depth > 0; depth -= depth_of_step, steps.advance()) {
      const Stored* const following = b + depth_of_step * p.in_stride;
      // In the order of memory: lines of a later step, or the next panel, into the L2 cache, and from there into the
      // nearest one, whose 16 places for lines under way would bound the bandwidth if they waited for memory.
      const Stored *far_ahead = following + 2 * depth_of_step * p.in_stride, *ahead = following - side * p.in_stride;
      for (std::ptrdiff_t n = 0; n * side < columns; ++n) {
        const Stored* const from = b + n * side;
        const std::ptrdiff_t left = columns - n * side;
        if (depth >= depth_of_step && left >= side)
          add_step<R, pieces_of<Stored>>(
              steps.at,
              [&](std::ptrdiff_t k) __attribute__((always_inline)) {
                if (!is_packed) {
                  __builtin_prefetch(from + (2 * depth_of_step + k) * p.in_stride, 0, 2);
                } else if (k * side % line == 0) {
                  __builtin_prefetch(far_ahead + k * side, 0, 2);
                  __builtin_prefetch(ahead + k * side);
                }
                const V<float> numbers = widen(from + k * p.in_stride);
                if constexpr (finds_largest) top = larger(top, numbers);
                return numbers;
              },
              sums[n]);
        else
          add_step<R, pieces_of<Stored>>(
              steps.at,
              [&](std::ptrdiff_t k) {
                const V<float> numbers = k < depth ? some(from + k * p.in_stride, left) : V<float>{};
                top = larger(top, numbers);
                return numbers;
              },
              sums[n]);
        far_ahead += depth_of_step * side;
        ahead += depth_of_step * side;
      }
      b = following;
    }
    for (std::ptrdiff_t n = 0; n * side < columns; ++n)
      store_sums<R>(p, column + n * side, columns - n * side, sums[n]);
    if constexpr (finds_largest) p.largest[column / panel] = reduce_max<float>(top);
  }
}

/// Inputs of a column that lie side by side, a vector of columns together: squares are turned in registers.
template <int R, bool finds_largest, class Stored>
ATTN_INLINE void multiply_inputs(const Bf16x3RowProduct& p) {
  const auto all = static_cast<std::ptrdiff_t>(p.columns);
  V<float> top = {};
  for (std::ptrdiff_t column = 0; column < all; column += side) {
    const Stored* b = static_cast<const Stored*>(p.b) + column * p.out_stride;
    V<float> sums[R] = {};
    StepsOfRows<R> steps(p);
    for (auto depth = static_cast<std::ptrdiff_t>(p.depth); depth > 0; depth -= depth_of_step, steps.advance()) {
      V<float> chains[2][R][piece_pair_count];
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half, b += side) {
        V<float> square[side];
#pragma GCC unroll 16
        for (std::ptrdiff_t c = 0; c < side; ++c)
          square[c] = c < all - column ? some(b + c * p.out_stride, depth - half * side) : V<float>{};
        if constexpr (finds_largest)
#pragma GCC unroll 16
          for (std::ptrdiff_t c = 0; c < side; ++c) top = larger(top, square[c]);
        transpose<float>(square);
        chain_half<R, pieces_of<Stored>>(
            steps.at, half, [&](int k) __attribute__((always_inline)) { return square[k]; }, chains[half]);
      }
      join_halves<R, pieces_of<Stored>>(chains[0], chains[1], sums);
    }
    store_sums<R>(p, column, all - column, sums);
    if (finds_largest && ((column + side) % panel == 0 || column + side >= all)) {
      p.largest[column / panel] = reduce_max<float>(top);
      top = V<float>{};
    }
  }
}

template <int R, bool finds_largest, class Stored>
__attribute__((noinline)) void multiply_rows_of(const Bf16x3RowProduct& p) {
  p.out_stride == 1 ? multiply_columns<R, finds_largest, Stored>(p) : multiply_inputs<R, finds_largest, Stored>(p);
}

template <class Stored>
void multiply_rows(const Bf16x3RowProduct& p) {
  const SubnormalsAreZero scope;
  const bool finds_largest = p.largest != nullptr;
  if (p.rows == 1)
    finds_largest ? multiply_rows_of<1, true, Stored>(p) : multiply_rows_of<1, false, Stored>(p);
  else
    finds_largest ? multiply_rows_of<2, true, Stored>(p) : multiply_rows_of<2, false, Stored>(p);
}

// ---- what the sums are worth ---------------------------------------------------------------------------------------

float largest(const float* x, std::size_t count) {
  constexpr int chains = 4;
  V<float> top[chains] = {};
  std::size_t i = 0;
  for (; i + chains * side <= count; i += chains * side)
    for (int c = 0; c < chains; ++c) top[c] = max(abs<float>(load(x + i + static_cast<std::size_t>(c * side))), top[c]);
  for (; i < count; i += side) top[0] = max(abs<float>(some(x + i, static_cast<std::ptrdiff_t>(count - i))), top[0]);
  return reduce_max<float>(max(max(top[0], top[1]), max(top[2], top[3])));
}

bool are_sound(const float* y, std::size_t count, float least) {
  for (std::size_t i = 0; i < count; i += side) {
    const auto left = static_cast<std::ptrdiff_t>(count - i);
    if (!is_sound(left >= side ? load(y + i) : load_n<float>(y + i, left), left, least)) return false;
  }
  return true;
}

}  // namespace

extern const Bf16x3GemmKernels gemm_bf16x3 = {
    split,     {multiply<float>, multiply<Half>, multiply<Bfloat>},
    split_row, {multiply_rows<float>, multiply_rows<Half>, multiply_rows<Bfloat>},
    largest,   are_sound};

}  // namespace attn::simd::amxbf16
#endif
