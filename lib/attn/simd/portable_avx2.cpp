#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL avx2
#define ATTN_SIMD_BYTES 32
#include <attn/simd/portable_source.hpp>
#endif
