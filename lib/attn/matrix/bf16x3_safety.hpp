#pragma once
// Which products by pieces of bf16 are as good as those by multiply-adds, and the others.

#include <attn/core/memory.hpp>
#include <attn/core/shape.hpp>
#include <attn/simd/gemm_bf16x3.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace attn {

/// Is a product y = x W in f32 summed by pieces, where the instruction set has them? Of the depth alone: parts of a
/// matrix give the bits of the whole.
inline bool is_multiplied_by_pieces(std::size_t inputs, DType compute, Isa isa) {
  return compute == DType::f32 && inputs >= simd::bf16x3_step && simd::bf16x3_gemm_kernels(isa) != nullptr;
}

/// Rows of x, whose elements lie side by side.
struct RowsOfX {
  const float* data;
  std::ptrdiff_t stride;
};

/// The pieces of one or two rows as numbers, in memory of the thread.
template <class Tag>
const float* split_rows(const simd::Bf16x3GemmKernels& kernels, const RowsOfX& rows, std::size_t count,
                        std::size_t depth) {
  const std::size_t size = simd::bf16x3_numbers(depth);
  auto* const numbers = reinterpret_cast<float*>(simd::scratch<Tag>(count * size * sizeof(float)));
  for (std::size_t row = 0; row < count; ++row)
    kernels.split_row(rows.data + static_cast<std::ptrdiff_t>(row) * rows.stride, depth, numbers + row * size);
  return numbers;
}

/// A bound of the magnitudes of f16 that are finite, of which each column has its own.
inline constexpr float largest_half = 65504;

/// The largest magnitude of so many numbers; NaN may be passed over. That of f16 is bounded anyway.
inline float largest_magnitude(const simd::Bf16x3GemmKernels& kernels, const void* numbers, DType stored,
                               std::size_t count) {
  if (stored == DType::f16) return largest_half;
  if (stored != DType::bf16) return kernels.largest(static_cast<const float*>(numbers), count);
  std::int16_t top = 0;  // magnitudes are in the order of their bits
  const auto* const bits = static_cast<const std::int16_t*>(numbers);
  for (std::size_t i = 0; i < count; ++i) {
    const auto magnitude = static_cast<std::int16_t>(bits[i] & 0x7fff);
    if (magnitude <= 0x7f80) top = std::max(top, magnitude);
  }
  const std::uint32_t wide = static_cast<std::uint32_t>(top) << 16;
  float widened;
  std::memcpy(&widened, &wide, sizeof widened);
  return widened;
}

/// The least magnitude of a sum that pieces give, where these are the largest ones of its row of x and of the weights
/// of its panel. What is cut off below 2^-126 of pieces and their products is at most depth 2^-126 (|x| + |w| + 1),
/// less than rounding where a sum is larger than this.
inline float least_sound(float largest_of_row, float largest_of_panel) {
  if (!(largest_of_panel <= std::numeric_limits<float>::max())) return std::numeric_limits<float>::infinity();
  return 0x1p-76f * std::max({1.0f, largest_of_row, largest_of_panel});
}

/// Where sums of pieces are infinite, NaN or too small, y is what multiply-adds gave, and the bias.
inline void replace_unsound(const float* sums, float least, const float* multiplied, std::size_t columns,
                            const float* bias, float* y) {
  for (std::size_t c = 0; c < columns; ++c)
    if (!(std::abs(sums[c]) >= least && std::abs(sums[c]) <= std::numeric_limits<float>::max()))
      y[c] = bias != nullptr ? multiplied[c] + bias[c] : multiplied[c];
}

/// The same for a row of y of any width: least_at(column) and multiply(column, multiplied) are for `bf16x3_columns`
/// columns from there on.
template <class LeastAt, class Multiply>
void mend_row(const simd::Bf16x3GemmKernels& kernels, float* y, std::size_t columns, const LeastAt& least_at,
              const Multiply& multiply) {
  for (std::size_t column = 0; column < columns; column += simd::bf16x3_columns) {
    const std::size_t count = std::min(simd::bf16x3_columns, columns - column);
    const float least = least_at(column);
    if (kernels.are_sound(y + column, count, least)) continue;
    float multiplied[simd::bf16x3_columns];
    multiply(column, multiplied);
    replace_unsound(y + column, least, multiplied, count, nullptr, y + column);
  }
}

}  // namespace attn
