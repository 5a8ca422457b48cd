// The kernels of attention.hpp. Included by attention_<instruction set>.cpp alone.

#include <attn/simd/attention.hpp>
#include <attn/simd/kernels/attention_packing.hpp>
#include <attn/simd/kernels/attention_pooling.hpp>
#include <attn/simd/kernels/attention_scores.hpp>
#include <attn/simd/kernels/attention_streamed.hpp>
#include <attn/simd/kernels/attention_weights.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

template <class T>
constexpr AttentionKernels<T> table = {tile_vectors* width<T>,
                                       width<T>,
                                       scale<T>,
                                       square<T>,
                                       to_unit<T>,
                                       pack_keys<T>,
                                       pack_values<T>,
                                       scores<Pair::dot, T>,
                                       scores<Pair::product, T>,
                                       gaussian_scores<T>,
                                       additive_scores<T>,
                                       stream_scores<T>,
                                       weights<T>,
                                       gradients<T>,
                                       plain_weights<T>,
                                       smooth<T>,
                                       pool<T>,
                                       merge<T>};

}  // namespace

extern const AttentionKernels<float> attention_f32 = table<float>;
extern const AttentionKernels<double> attention_f64 = table<double>;

}  // namespace attn::simd::ATTN_SIMD_LEVEL
