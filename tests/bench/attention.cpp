// Fused attention against the multiply-add peak, and for one query (decoding) against the bandwidth of memory.
//
//     bench-attention [--threads N] [--isa NAME] [FILTER]

#include "measure.hpp"

#include <attn/attention/attend.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

using namespace attn;

TensorView noise(DType dtype, Shape shape, std::uint64_t seed) {
  Tensor x(DType::f32, std::move(shape));
  std::uint64_t state = seed;
  float* const out = x.data_as<float>();
  for (std::size_t i = 0, n = x.size(); i < n; ++i) {
    float sum = 0;
    for (int part = 0; part < 4; ++part) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      sum += static_cast<float>(state >> 40) / 16777216.0f - 0.5f;
    }
    out[i] = sum * 1.7320508f;  // variance 1
  }
  return cast(x.view(), dtype);
}

struct Setup {
  const char* name;
  DType dtype;
  std::size_t batch, heads, kv_heads, queries, keys, width;
  AttendParameters parameters = {};
};

/// Multiply-adds as 2 operations; a causal triangle counts what it needs.
double operations(const Setup& s) {
  double pairs = static_cast<double>(s.queries) * static_cast<double>(s.keys);
  if (s.parameters.causal) pairs = static_cast<double>(s.queries) * static_cast<double>(s.queries + 1) / 2;
  return 4.0 * static_cast<double>(s.batch * s.heads * s.width) * pairs;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments arguments = bench::parse(argc, argv);
  const Execution& execution = arguments.execution;
  const double peak_f32 = bench::fma_peak(execution.isa, DType::f32, execution);
  const double peak_f64 = bench::fma_peak(execution.isa, DType::f64, execution);
  const double peak_bf16 = bench::bf16_peak(execution.isa, execution);
  std::printf("multiply-add peak f32 %.1f, f64 %.1f, bf16 %.1f GFLOP/s\n", peak_f32 / 1e9, peak_f64 / 1e9,
              peak_bf16 / 1e9);
  if (execution.isa > Isa::avx512bf16)
    std::printf("bf16 dot products of vectors %.1f GFLOP/s\n", bench::bf16_peak(Isa::avx512bf16, execution) / 1e9);

  AttendParameters causal, cosine, gaussian, capped;
  causal.causal = true;
  cosine.score = Score::cosine;
  gaussian.score = Score::gaussian;
  gaussian.bandwidth = {8};
  capped.softcap = 20;
  const Setup setups[] = {
      {"f32 L 4096 d 64", DType::f32, 1, 8, 8, 4096, 4096, 64},
      {"f32 L 4096 d 128", DType::f32, 1, 8, 8, 4096, 4096, 128},
      {"f32 L 4096 d 64 causal", DType::f32, 1, 8, 8, 4096, 4096, 64, causal},
      {"f32 L 4096 d 64 cosine", DType::f32, 1, 8, 8, 4096, 4096, 64, cosine},
      {"f32 L 4096 d 64 gaussian", DType::f32, 1, 8, 8, 4096, 4096, 64, gaussian},
      {"f32 L 4096 d 64 softcap", DType::f32, 1, 8, 8, 4096, 4096, 64, capped},
      {"f32 B 32 H 12 L 128 d 64", DType::f32, 32, 12, 12, 128, 128, 64},
      {"f64 L 4096 d 64", DType::f64, 1, 4, 4, 4096, 4096, 64},
      {"f64 L 4096 d 128", DType::f64, 1, 4, 4, 4096, 4096, 128},
      {"bf16 L 4096 d 64", DType::bf16, 1, 8, 8, 4096, 4096, 64},
      {"bf16 L 4096 d 128", DType::bf16, 1, 8, 8, 4096, 4096, 128},
      {"bf16 L 4096 d 64 causal", DType::bf16, 1, 8, 8, 4096, 4096, 64, causal},
      {"bf16 B 32 H 12 L 128 d 64", DType::bf16, 32, 12, 12, 128, 128, 64},
      {"f16 L 4096 d 64", DType::f16, 1, 8, 8, 4096, 4096, 64},
  };
  for (const Setup& s : setups) {
    if (!arguments.selects(s.name)) continue;
    const AttendInputs inputs{noise(s.dtype, {s.batch, s.heads, s.queries, s.width}, 1),
                              noise(s.dtype, {s.batch, s.kv_heads, s.keys, s.width}, 2),
                              noise(s.dtype, {s.batch, s.kv_heads, s.keys, s.width}, 3)};
    const auto timing = bench::time([&] { attend(inputs, s.parameters, {}, execution); }, 1);
    const double peak = s.dtype == DType::f64 ? peak_f64 : s.dtype == DType::bf16 ? peak_bf16 : peak_f32;
    bench::report(s.name, operations(s), timing, peak, "GFLOP/s");
  }

  const Setup decoding[] = {{"f32 decoding S 65536 H 8 d 64", DType::f32, 1, 8, 8, 1, 65536, 64},
                            {"f32 decoding S 65536 H 1 d 128", DType::f32, 1, 1, 1, 1, 65536, 128},
                            {"f32 decoding S 65536 H 8/2 d 128", DType::f32, 1, 8, 2, 1, 65536, 128},
                            {"bf16 decoding S 65536 H 8 d 64", DType::bf16, 1, 8, 8, 1, 65536, 64}};
  for (const Setup& s : decoding) {
    if (!arguments.selects(s.name)) continue;
    const AttendInputs inputs{noise(s.dtype, {s.batch, s.heads, s.queries, s.width}, 1),
                              noise(s.dtype, {s.batch, s.kv_heads, s.keys, s.width}, 2),
                              noise(s.dtype, {s.batch, s.kv_heads, s.keys, s.width}, 3)};
    const std::size_t bytes = inputs.key.bytes() + inputs.value.bytes();
    const double limit = bench::read_bandwidth(bytes, execution);
    const auto timing = bench::time([&] { attend(inputs, s.parameters, {}, execution); }, 0.5);
    bench::report(s.name, static_cast<double>(bytes), timing, limit, "GB/s   ");
  }
}
