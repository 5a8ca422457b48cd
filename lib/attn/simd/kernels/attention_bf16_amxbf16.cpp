#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL amxbf16
#define ATTN_SIMD_BYTES 64
#include <attn/simd/attention_bf16.hpp>
#include <attn/simd/vector/bf16_lanes.hpp>
#include <attn/simd/vector/softmax_rows.hpp>
#include <attn/simd/vector/transpose.hpp>

#include <attn/simd/vector/amx_tile.hpp>

namespace attn::simd::amxbf16 {
namespace {

void begin() { configure_tiles(); }
void end() { release_tiles(); }

template <int R, int N>
void product(const std::uint16_t* a, std::ptrdiff_t a_stride, const std::uint16_t* b, std::ptrdiff_t b_step,
             std::ptrdiff_t b_next, std::size_t steps, float* y, std::ptrdiff_t y_stride) {
  zero_block<R, N>();
  multiply_block<R, N>(a, a_stride, b, b_step, b_next, steps);
  store_block<R, N>(y, y_stride);
}

}  // namespace
}  // namespace attn::simd::amxbf16

#include <attn/simd/kernels/attention_bf16_rows.hpp>

#include <attn/simd/kernels/attention_bf16.hpp>
#endif
