#include <attn/core/error.hpp>
#include <attn/core/isa.hpp>

#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace attn {
namespace {

struct Level {
  Isa isa;
  std::string_view name;
  bool is_built;
};
#if defined(__aarch64__)
constexpr const char* baseline_name = "neon";
#else
constexpr const char* baseline_name = "baseline";
#endif
constexpr Level levels[] = {{Isa::baseline, baseline_name, ATTN_BUILT_baseline},
                            {Isa::avx2, "avx2", ATTN_BUILT_avx2},
                            {Isa::avx512, "avx512", ATTN_BUILT_avx512},
                            {Isa::avx512bf16, "avx512bf16", ATTN_BUILT_avx512bf16},
                            {Isa::amxbf16, "amxbf16", ATTN_BUILT_amxbf16}};

#if defined(__x86_64__)
bool has_amx_bf16() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  constexpr unsigned amx_bf16 = 1u << 22, amx_tile = 1u << 24;
  if ((edx & amx_bf16) == 0 || (edx & amx_tile) == 0) return false;
  // A process must request tile registers from the kernel: ARCH_REQ_XCOMP_PERM for XTILEDATA.
  constexpr long request_permission = 0x1023, tile_data = 18;
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

bool has_avx512_bf16() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax & (1u << 5)) != 0;
}

Isa detect() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return Isa::baseline;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return Isa::avx2;
  if (!has_avx512_bf16()) return Isa::avx512;
  if (has_amx_bf16()) return Isa::amxbf16;
  // Intel's dot products of pairs do half the work of its f32 multiply-adds in a cycle (measured on Sapphire Rapids),
  // AMD's twice as much.
  return __builtin_cpu_is("amd") ? Isa::avx512bf16 : Isa::avx512;
}
#else
Isa detect() { return Isa::baseline; }
#endif

/// Are a level's kernels built, and does this processor run them?
bool is_available(const Level& level) {
  static const Isa best = detect();
  return level.is_built && level.isa <= best;
}

}  // namespace

Isa native_isa() {
  static const std::vector<Isa> available = available_isas();
  if (available.empty())
    throw Error(
        ErrorKind::helper, "this build",
        "has kernels for " +
            listed(levels, "", [](const Level& level) { return level.is_built ? std::string(level.name) + " " : ""; }) +
            "alone, which this processor lacks",
        "configure it with -DATTN_LEVELS=all");
  return available.back();
}

std::vector<Isa> available_isas() {
  std::vector<Isa> available;
  for (const Level& level : levels)
    if (is_available(level)) available.push_back(level.isa);
  return available;
}

std::string_view name_of(Isa isa) noexcept {
  for (const Level& level : levels)
    if (level.isa == isa) return level.name;
  return "?";
}

Isa isa_from_name(std::string_view name) {
  for (const Level& level : levels) {
    if (level.name != name) continue;
    if (!is_available(level))
      throw Error(ErrorKind::usage, "instruction set '" + std::string(name) + "'",
                  level.is_built ? "is not available on this processor" : "has no kernels in this build",
                  "the best here is " + std::string(name_of(native_isa())));
    return level.isa;
  }
  throw Error(ErrorKind::usage, "instruction set '" + std::string(name) + "'", "is not known",
              "known are " + listed(levels, ", ", [](const Level& level) { return level.name; }));
}

}  // namespace attn
