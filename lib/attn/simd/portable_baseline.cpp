#define ATTN_SIMD_LEVEL baseline
#define ATTN_SIMD_BYTES 16
#include <attn/simd/portable_source.hpp>
