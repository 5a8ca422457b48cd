#pragma once
// Instruction sets: which levels exist, which this processor has. Chosen once by the caller and handed down.

#include <attn/core/api.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// Levels of vector instructions, each containing the ones before it.
enum class Isa : std::uint8_t {
  baseline,    ///< what every processor of the architecture has (SSE2 on x86-64)
  avx2,        ///< AVX2 and FMA
  avx512,      ///< AVX-512 F, BW, DQ, VL
  avx512bf16,  ///< and BF16 dot products
  amxbf16      ///< and AMX tiles with BF16, granted by the kernel
};

/// The best level of this processor and operating system. Asks the kernel for AMX tiles where the processor has them.
Isa native_isa() noexcept;

/// All levels that can run here, lowest first: what tests force in turn.
std::vector<Isa> available_isas();

/// "baseline", "avx2", "avx512", "avx512bf16", "amxbf16".
std::string_view name_of(Isa isa) noexcept;

/// Throws Error(usage) for an unknown name and for a level that this processor does not have.
Isa isa_from_name(std::string_view name);

}  // namespace attn
