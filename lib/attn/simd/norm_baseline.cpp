#define ATTN_SIMD_LEVEL baseline
#include <attn/simd/norm_source.hpp>
