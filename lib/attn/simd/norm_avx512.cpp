#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL avx512
#include <attn/simd/norm_source.hpp>
#endif
