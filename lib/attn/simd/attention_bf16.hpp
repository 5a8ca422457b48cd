#pragma once
// Kernels of fused attention on bf16: both operands of each product are bf16, sums, scores and what is pooled are f32.
//
// Rows of queries come by 32, keys of a block of 256 in tiles: elements of two neighbours in the direction of the sum
// lie side by side, as the processor's dot products take them. A tile is 32 deep and 16 wide, one KiB:
//
//     keys     tile (group of 16 keys, step of 32 coordinates), steps first   [16 pairs of coordinates][16 keys][2]
//     values   tile (group of 16 columns, step of 32 keys), steps first       [16 pairs of keys][16 columns][2]
//
// Scores are raw products; `factor` is their scale. Weights are rounded to bf16 before they are summed, so
// that what is pooled is a mean of the values for weights that are exactly the ones used.

#include <attn/simd/attention.hpp>

namespace attn::simd {

inline constexpr std::size_t bf16_rows = 32;   ///< rows of a group
inline constexpr std::size_t bf16_keys = 256;  ///< most keys of a block
inline constexpr std::size_t bf16_step = 32;   ///< of sums; depths are filled up with zeros
inline constexpr std::size_t bf16_group = 16;  ///< keys or columns of a tile

/// scores (32, [first, last)) = queries keys^T.
struct Bf16Scores {
  const std::uint16_t* queries = nullptr;  ///< (32, steps * 32), row-major
  const std::uint16_t* keys = nullptr;     ///< tiles
  std::size_t first = 0, last = 0;         ///< keys, multiples of 32
  std::size_t steps = 0;
  std::size_t rows = 0;  ///< that anybody looks at; others are not always computed
  float* scores = nullptr;
  std::ptrdiff_t stride = 0;
};

/// out = out keep + (weights values) add, as PoolGroup.
struct Bf16Pool {
  const std::uint16_t* weights = nullptr;  ///< (32, keys)
  std::ptrdiff_t weights_stride = 0;
  const std::uint16_t* values = nullptr;  ///< tiles
  std::size_t keys = 0;                   ///< a multiple of 32
  std::size_t steps = 0;                  ///< tiles from one group of columns to the next
  std::size_t rows = 0, columns = 0;      ///< columns: a multiple of 16
  float* out = nullptr;
  std::ptrdiff_t out_stride = 0;
  const float* keep = nullptr;
  const float* add = nullptr;
  bool excludes = false;
};

/// Keys or values as they lie in memory.
struct Bf16Rows {
  const std::uint16_t* data = nullptr;
  std::ptrdiff_t stride = 0;
  std::size_t count = 0, width = 0;
};

/// Most rows that the streaming kernels take at once, in groups of 4, 2 and 1.
inline constexpr std::size_t bf16_streamed_rows = 4;

struct Bf16AttentionKernels {
  /// What the thread's calls of scores and pool are put between.
  void (*begin)();
  void (*end)();
  /// `count` keys (count, depth) into tiles for a multiple of 32 keys; what is missing is 0.
  void (*pack_keys)(const std::uint16_t* keys, std::ptrdiff_t stride, std::size_t count, std::size_t depth,
                    std::uint16_t* tiles);
  /// Values (count, columns) into tiles for `steps` of 32 keys; what is missing is 0.
  void (*pack_values)(const std::uint16_t* values, std::ptrdiff_t stride, std::size_t count, std::size_t columns,
                      std::size_t steps, std::uint16_t* tiles);
  void (*scores)(const Bf16Scores&);
  /// As AttentionKernels::weights; scores are multiplied by `factor` first. The weights are bf16, in each row where its
  /// scores began. columns: a multiple of 32.
  void (*weights)(const WeightRows<float>&, float factor);
  void (*pool)(const Bf16Pool&);
  /// scores and pool, bit for bit, from keys and values that are read once and not packed, for few queries; keys and
  /// values: from the first of the block on, and from pool's first key on.
  void (*stream_scores)(const Bf16Scores&, const Bf16Rows& keys);
  void (*stream_pool)(const Bf16Pool&, const Bf16Rows& values);
};

/// isa must be available here (available_isas()); null: it has none, f32 is as fast.
const Bf16AttentionKernels* bf16_attention_kernels(Isa isa) noexcept;

}  // namespace attn::simd
