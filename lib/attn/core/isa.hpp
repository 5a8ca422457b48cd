#pragma once
// Instruction sets: the levels that exist, and those that this processor has. The caller chooses once and passes the
// level down.

#include <attn/core/export.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// Levels of vector instructions, each containing the ones before it.
enum class Isa : std::uint8_t {
  baseline,    ///< what every processor of the architecture has (SSE2 on x86-64, NEON on arm64)
  avx2,        ///< AVX2 and FMA
  avx512,      ///< AVX-512 F, BW, DQ, VL
  avx512bf16,  ///< and BF16 dot products
  amxbf16      ///< and AMX tiles with BF16, granted by the kernel
};

/// The best level that is built and that this processor and operating system have. Requests AMX tiles from the kernel
/// if the processor has them. Throws Error(helper) if there is none.
Isa native_isa();

/// All levels that are built and can run here, lowest first, for tests to force each of them.
std::vector<Isa> available_isas();

/// "baseline" ("neon" on arm64), "avx2", "avx512", "avx512bf16", "amxbf16".
std::string_view name_of(Isa isa) noexcept;

/// Throws Error(usage) for an unknown name and for a level that is not built or that this processor does not have.
Isa isa_from_name(std::string_view name);

}  // namespace attn
