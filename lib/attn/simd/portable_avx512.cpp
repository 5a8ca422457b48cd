#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL avx512
#define ATTN_SIMD_BYTES 64
#include <attn/simd/portable_source.hpp>
#endif
