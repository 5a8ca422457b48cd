#pragma once
// Kernels of fused attention on f32 in tiles of bf16: each number is the sum of three pieces. bf16x3.hpp says how, and
// in which order products are added.
//
// Rows of queries come by 32, two tiles. A tile holds the pieces of 32 elements of depth, a step, in 3 KiB:
//
//     queries, weights   tile (16 rows, step), steps first       [piece][16 rows][16 pairs of depth][2]
//     keys               tile (16 keys, step), steps first       [piece][16 pairs of coordinates][16 keys][2]
//     values             tile (16 columns, step), steps first    [piece][16 pairs of keys][16 columns][2]
//
// Pieces below the normal range of f32 are lost, and what is beyond that range is NaN or infinite. So keys are
// multiplied with 2^40 as they are split, and scores with 2^-40: each coordinate adds less than 2^-37 to the error of a
// score, whatever its size, and keys beyond 2^88 and scores beyond 2^88 are not finite. Values are multiplied with
// 2^64, what is pooled with 2^-64: nothing is lost of the smallest, and values beyond 2^64 are not finite. Rows that
// meet such numbers are computed otherwise, in f64.

#include <attn/simd/attention.hpp>
#include <attn/simd/vector/bf16x3_sizes.hpp>

namespace attn::simd {

inline constexpr std::size_t bf16x3_group_rows = 32;  ///< rows of a group
inline constexpr std::size_t bf16x3_keys = 256;       ///< most keys of a block
/// Elements of a tile.
inline constexpr std::size_t bf16x3_tile = 3 * bf16x3_step * bf16x3_side;

/// What scores are multiplied with by themselves.
inline constexpr float bf16x3_key_scale = 0x1p40f;

/// Rows of memory that are read after others: they are fetched while the last of those are used.
struct RowsAfter {
  const void* rows = nullptr;  ///< null: unknown
  std::ptrdiff_t stride = 0;   ///< elements
  std::size_t width = 0;
};

/// scores (rows, columns) = [starts +] queries keys^T 2^40, which join the maxima.
struct Bf16x3Scores {
  const std::uint16_t* queries = nullptr;  ///< tiles; the second ones of a group come after all steps of the first
  const std::uint16_t* keys = nullptr;     ///< tiles
  std::size_t rows = 0, columns = 0;       ///< columns: a multiple of 32
  std::size_t steps = 0;
  const float* starts = nullptr;  ///< (columns), times 2^40: what the sums of a key start from; null: 0
  float* scores = nullptr;        ///< space of whole tiles of rows
  std::ptrdiff_t stride = 0;
  float* maxima = nullptr;  ///< (rows, vector width), as ScoreGroup
  RowsAfter after;          ///< of keys that stream
};

/// sums (rows, columns) = weights values 2^64, or += for steps that continue others.
struct Bf16x3Pool {
  const std::uint16_t* weights = nullptr;  ///< tiles; weights_next elements to the second ones
  std::ptrdiff_t weights_next = 0;
  const std::uint16_t* values = nullptr;  ///< tiles; values_next elements from 16 columns to the next
  std::ptrdiff_t values_next = 0;
  std::size_t rows = 0, columns = 0;  ///< columns: a multiple of 16
  std::size_t steps = 0;
  bool continues = false;
  float* sums = nullptr;  ///< space of whole tiles of rows
  std::ptrdiff_t stride = 0;
  RowsAfter after;  ///< of values that stream
};

/// Values (count, columns) as they lie in memory.
struct Bf16x3Values {
  const void* values = nullptr;
  Storage storage = Storage::full;
  std::ptrdiff_t stride = 0;
  std::size_t count = 0, columns = 0;
};

/// out = out keep + (sums 2^-64) add for some rows.
struct Bf16x3Pooled {
  const float* sums = nullptr;
  std::ptrdiff_t stride = 0;
  std::size_t rows = 0, columns = 0;
  float* out = nullptr;
  std::ptrdiff_t out_stride = 0;
  const float* keep = nullptr;
  const float* add = nullptr;
  bool leaves_infinite = false;  ///< rows with sums that are not finite are left as they are
};

/// Scores become weights, as AttentionKernels::weights says, and go into tiles instead of the places of the scores.
struct Bf16x3Weights {
  WeightRows<float> rows;
  float factor = 1;                ///< scores are multiplied by it first,
  const float* starts = nullptr;   ///< (rows): and these are added to them; null: nothing
  std::uint16_t* tiles = nullptr;  ///< next elements from 16 rows to the next; further rows of a tile stay as they are
  std::ptrdiff_t next = 0;
};

/// Rows of so many bytes that will be read later.
struct LinesAhead {
  const unsigned char* row = nullptr;
  std::ptrdiff_t stride = 0;  ///< bytes
  std::size_t bytes = 0, rows = 0;
};

struct Bf16x3AttentionKernels {
  /// What the thread's calls of advance are put between.
  void (*begin)();
  void (*end)();
  /// x (rows, depth) into tiles of 16 rows, `next` elements from one to the next; what is missing is 0.
  void (*split_rows)(const float* x, std::ptrdiff_t stride, std::size_t rows, std::size_t depth, std::uint16_t* tiles,
                     std::ptrdiff_t next);
  /// Keys, or queries as right operands, times `factor` into tiles for a multiple of 32 keys; what is missing is 0.
  void (*split_columns)(const KeyPanel&, float factor, std::uint16_t* tiles);
  /// Values into tiles for a multiple of 64 keys, `next` elements from 16 columns to the next; what is missing is 0.
  void (*split_values)(const Bf16x3Values&, std::uint16_t* tiles, std::ptrdiff_t next);
  /// What three groups have come to: tiles multiply for the scores of one and for the pooling of another, while vectors
  /// make weights of the scores of a third, and lines of memory are fetched. No rows: none.
  void (*advance)(const Bf16x3Scores&, const Bf16x3Weights&, const Bf16x3Pool&, const LinesAhead&);
  /// Returns which rows were left, a bit for each.
  std::uint32_t (*join)(const Bf16x3Pooled&);
  /// scores (rows, columns) = scores factor + starts (rows), rounded as weights do it: some scores of a block may be
  /// replaced, and the others keep their bits. columns: a multiple of 16.
  void (*finish_scores)(float* scores, std::ptrdiff_t stride, std::size_t rows, std::size_t columns, float factor,
                        const float* starts);
  /// Scores and pool for up to 16 rows, bit for bit, from keys and values that are read once and not split before;
  /// queries are tiles of split_columns.
  void (*stream_scores)(const KeyPanel&, const Bf16x3Scores&);
  void (*stream_pool)(const Bf16x3Values&, const Bf16x3Pool&);
};

/// isa must be available here (available_isas()); null: it has none, f32 is multiplied in vectors.
const Bf16x3AttentionKernels* bf16x3_attention_kernels(Isa isa) noexcept;

}  // namespace attn::simd
