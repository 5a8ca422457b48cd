// Fused attention against the multiply-add peak, for one query (decoding) against the bandwidth of memory, additive
// scores against their tanh; and what it takes of memory.
//
//     bench-attention [--threads N] [--isa NAME] [FILTER]

#include "measure.hpp"

#include <attn/attention/attend.hpp>
#include <attn/simd/elementwise.hpp>

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

AttendInputs inputs_of(const Setup& s) {
  return {noise(s.dtype, {s.batch, s.heads, s.queries, s.width}, 1),
          noise(s.dtype, {s.batch, s.kv_heads, s.keys, s.width}, 2),
          noise(s.dtype, {s.batch, s.kv_heads, s.keys, s.width}, 3)};
}

/// What a thread takes beside inputs and outputs, of which attention may have 8 MiB. Before any other work.
void report_memory(const bench::Arguments& arguments) {
  AttendParameters gaussian, linear;
  gaussian.score = Score::gaussian;
  linear.score = Score::dot;
  linear.normalize = Normalize::sum;
  const Setup setups[] = {{"memory f32 L 4096 d 64", DType::f32, 1, 2, 2, 4096, 4096, 64},
                          {"memory f32 L 1 S 262144 d 64", DType::f32, 1, 1, 1, 1, 262144, 64},
                          {"memory f32 L 96 S 16384 d 4096", DType::f32, 1, 1, 1, 96, 16384, 4096},
                          {"memory f32 L 96 S 4096 d 4096 gaussian", DType::f32, 1, 1, 1, 96, 4096, 4096, gaussian},
                          {"memory f32 L 96 S 4096 d 4096 sum", DType::f32, 1, 1, 1, 96, 4096, 4096, linear},
                          {"memory f64 L 96 S 4096 d 4096", DType::f64, 1, 1, 1, 96, 4096, 4096},
                          {"memory bf16 L 4096 d 64", DType::bf16, 1, 2, 2, 4096, 4096, 64},
                          {"memory bf16 L 96 S 4096 d 2048", DType::bf16, 1, 1, 1, 96, 4096, 2048},
                          {"memory bf16 L 96 S 4096 d 4096", DType::bf16, 1, 1, 1, 96, 4096, 4096}};
  const std::size_t threads = arguments.execution.threads();
  for (const Setup& s : setups) {
    if (!arguments.selects(s.name)) continue;
    std::optional<AttendInputs> inputs;
    const auto work = [&] {
      ThreadPool pool(threads);
      Execution execution = arguments.execution;
      execution.pool = &pool;
      attend(*inputs, s.parameters, {}, execution);
    };
    const double bytes = bench::peak_memory([&] { inputs = inputs_of(s); }, work);
    // The output, and where it is cast to the query's type both of them.
    const std::size_t rows = s.batch * s.heads * s.queries, size = element_size(s.dtype);
    const auto output = static_cast<double>(rows * (s.width + 1) * (size < 4 ? size + 4 : size));
    std::printf("%-52s %9.2f MiB a thread, limit 8\n", s.name,
                (bytes - output) / static_cast<double>(threads) / (1 << 20));
  }
}

/// Scores of an additive kind against the tanh that they take, out of the nearest cache.
void report_additive(const bench::Arguments& arguments) {
  const Execution& execution = arguments.execution;
  const std::size_t L = 1024, hidden = 64, count = 4096, rounds = 64;
  const std::string name = "f32 L 1024 h 64 additive";
  if (!arguments.selects(name)) return;
  const auto tanh = simd::math_kernels<float>(execution.isa).tanh;
  const bench::Limit tanhs{[&] {
                             execution.parallel(execution.threads(), [&](std::size_t, std::size_t) {
                               std::vector<float> x(count, 0.5f), y(count);
                               for (std::size_t round = 0; round < rounds; ++round) tanh(x.data(), y.data(), count);
                             });
                           },
                           static_cast<double>(execution.threads() * rounds * count)};
  AttendInputs inputs = inputs_of({"", DType::f32, 1, 2, 2, L, L, hidden});
  inputs.query_weight = noise(DType::f32, {hidden, hidden}, 4);
  inputs.key_weight = noise(DType::f32, {hidden, hidden}, 5);
  inputs.score_weight = noise(DType::f32, {hidden}, 6);
  AttendParameters additive;
  additive.score = Score::additive;
  bench::report(
      name, static_cast<double>(2 * L * L * hidden), [&] { attend(inputs, additive, {}, execution); }, tanhs, "Gtanh/s",
      1);
}

/// Rows of weights, computed while they are consumed, against the multiply-adds of their scores.
void report_weights(const bench::Arguments& arguments, const bench::Limit& peak) {
  const Execution& execution = arguments.execution;
  const Setup s{"f32 L 2048 d 64 emitting weights", DType::f32, 1, 4, 4, 2048, 2048, 64};
  if (!arguments.selects(s.name)) return;
  const AttendInputs inputs = inputs_of(s);
  AttendRequest request;
  request.stages = {Stage::weights};
  bench::report(
      s.name, 1.5 * operations(s),
      [&] { attend(inputs, s.parameters, request, execution).stages.front().produce([](const void*, std::size_t) {}); },
      peak, "GFLOP/s", 1);
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments arguments = bench::parse(argc, argv);
  const Execution& execution = arguments.execution;
  report_memory(arguments);
  const bench::Limit peak_f32 = bench::fma_limit(execution.isa, DType::f32, execution);
  const bench::Limit peak_f64 = bench::fma_limit(execution.isa, DType::f64, execution);
  const bench::Limit peak_bf16 = bench::bf16_limit(execution.isa, execution);
  std::printf("multiply-add peak f32 %.1f, f64 %.1f, bf16 %.1f GFLOP/s\n", peak_f32.rate() / 1e9, peak_f64.rate() / 1e9,
              peak_bf16.rate() / 1e9);
  if (execution.isa > Isa::avx512bf16)
    std::printf("bf16 dot products of vectors %.1f GFLOP/s\n",
                bench::bf16_limit(Isa::avx512bf16, execution).rate() / 1e9);

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
    const AttendInputs inputs = inputs_of(s);
    const bench::Limit& peak = s.dtype == DType::f64 ? peak_f64 : s.dtype == DType::bf16 ? peak_bf16 : peak_f32;
    bench::report(
        s.name, operations(s), [&] { attend(inputs, s.parameters, {}, execution); }, peak, "GFLOP/s", 1);
  }

  report_additive(arguments);
  report_weights(arguments, peak_f32);

  const Setup decoding[] = {{"f32 decoding S 65536 H 8 d 64", DType::f32, 1, 8, 8, 1, 65536, 64},
                            {"f32 decoding S 65536 H 1 d 128", DType::f32, 1, 1, 1, 1, 65536, 128},
                            {"f32 decoding S 65536 H 8/2 d 128", DType::f32, 1, 8, 2, 1, 65536, 128},
                            {"bf16 decoding S 65536 H 8 d 64", DType::bf16, 1, 8, 8, 1, 65536, 64},
                            {"bf16 decoding S 65536 H 8/2 d 128", DType::bf16, 1, 8, 2, 1, 65536, 128}};
  for (const Setup& s : decoding) {
    if (!arguments.selects(s.name)) continue;
    const AttendInputs inputs = inputs_of(s);
    const std::size_t bytes = inputs.key.bytes() + inputs.value.bytes();
    bench::report(
        s.name, static_cast<double>(bytes), [&] { attend(inputs, s.parameters, {}, execution); },
        bench::read_limit(bytes, execution), "GB/s   ");
  }
  return arguments.status();
}
