// Pooling of a block of rows in tiles of pieces.

#include <attn/attention/bf16x3_block.hpp>

#include <algorithm>

namespace attn::fused {

using simd::bf16x3_side;
using simd::bf16x3_step;
using simd::bf16x3_tile;

/// Values [first, last) of the block of keys that begins with `key`.
simd::Bf16x3Values Bf16x3BlockOfRows::values(std::size_t key, std::size_t first, std::size_t last) const {
  const AttentionProblem& problem = plan_.problem;
  return {row_of(problem.value, block_.b, block_.g, key + first - problem.first_key), plan_.storage,
          problem.value.strides[2], last - first, problem.sizes.value_width};
}

simd::Bf16x3Pool Bf16x3BlockOfRows::pool_of(const Work& work) const {
  simd::Bf16x3Pool pool;
  pool.weights = work.weights;
  pool.weights_next = tiles_next;
  pool.values = values_ + work.first / bf16x3_step * bf16x3_tile;
  pool.values_next = tiles_next;
  pool.rows = work.group.rows;
  pool.columns = plan_.padded_values;
  pool.steps = (work.last - work.first) / bf16x3_step;
  pool.sums = sums_;
  pool.stride = static_cast<std::ptrdiff_t>(plan_.padded_values);
  return pool;
}

void Bf16x3BlockOfRows::join(const Work& work, const RunningState<float>& state) {
  simd::Bf16x3Pooled pooled;
  pooled.sums = sums_;
  pooled.stride = static_cast<std::ptrdiff_t>(plan_.padded_values);
  pooled.rows = work.group.rows;
  pooled.columns = plan_.padded_values;
  pooled.out = state.out + work.group.first * plan_.padded_values;
  pooled.out_stride = pooled.stride;
  pooled.keep = work.keep;
  pooled.add = work.add;
  pooled.leaves_infinite = work.excludes;
  const std::uint32_t left = kernels_.join(pooled);
  for (std::size_t r = 0; r < work.group.rows; ++r)
    if ((left >> r & 1) != 0) pool_carefully(work, r, pooled);
}

/// Computes row r again without the excluded keys, for values that are NaN, infinite or beyond the range of pieces.
void Bf16x3BlockOfRows::pool_carefully(const Work& work, std::size_t r, simd::Bf16x3Pooled pooled) {
  const AttentionProblem& problem = plan_.problem;
  const std::size_t width = plan_.padded_values;
  simd::Bf16x3Pool pool;
  pool.weights_next = tiles_next;
  pool.values = careful_tiles_;
  pool.values_next = 2 * bf16x3_tile;  // values are padded to two steps
  pool.rows = bf16x3_side;             // the tile that contains r
  pool.columns = width;
  pool.steps = 1;
  pool.sums = careful_sums_;
  pool.stride = static_cast<std::ptrdiff_t>(width);
  for (std::size_t first = work.first; first < work.last; first += bf16x3_step) {
    pool.weights = work.weights + r / bf16x3_side * tiles_next + (first - work.first) / bf16x3_step * bf16x3_tile;
    const std::uint16_t* const weights = pool.weights + r % bf16x3_side * bf16x3_step;
    for (std::size_t j = 0; j < bf16x3_step; ++j) {
      float* const value = careful_values_ + j * width;
      // The first piece of the weight of an excluded key is -0.
      const bool takes_part = first + j < work.count && weights[2 * (j % bf16x3_side) + j / bf16x3_side] >> 15 == 0;
      if (takes_part)
        plan_.kernels.pack_values(row_of(problem.value, block_.b, block_.g, work.key + first + j - problem.first_key),
                                  plan_.storage, problem.value.strides[2], 1, problem.sizes.value_width, value, width);
      else
        std::fill_n(value, width, 0.0f);
    }
    kernels_.split_values({careful_values_, simd::Storage::full, pool.stride, bf16x3_step, width}, careful_tiles_,
                          pool.values_next);
    pool.continues = first > work.first;
    kernels_.advance({}, {}, pool, {});
  }
  pooled.sums = careful_sums_ + r % bf16x3_side * width;
  pooled.rows = 1;
  pooled.out += r * width;
  pooled.keep += r;
  pooled.add += r;
  pooled.leaves_infinite = false;
  kernels_.join(pooled);
}

}  // namespace attn::fused
