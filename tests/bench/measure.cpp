#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bench {
namespace {

bool by_processor_time = false;
bool by_line = false;
std::size_t processors = 1;

/// Seconds; by the processor's clock they are those of all threads, shared out evenly.
double now() {
  timespec t;
  clock_gettime(by_processor_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  const double seconds = static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  return by_processor_time ? seconds / static_cast<double>(processors) : seconds;
}

// 12 chains hide the latency of 4 cycles on two units; the sum keeps the compiler from dropping them.
template <class Vector, class T>
__attribute__((always_inline)) inline T chains(std::size_t steps) {
  constexpr int count = 12;
  Vector acc[count] = {}, a = Vector{} + T(0.999), b = Vector{} + T(1e-3);
  asm volatile("" : "+x"(a), "+x"(b));
#pragma GCC unroll 12
  for (int c = 0; c < count; ++c) asm volatile("" : "+x"(acc[c]));  // so that no two chains are known to be equal
  for (std::size_t i = 0; i < steps; ++i)
#pragma GCC unroll 12
    for (int c = 0; c < count; ++c) acc[c] = acc[c] * a + b;
  T sum = 0;
  for (int c = 0; c < count; ++c) sum += acc[c][0];
  return sum;
}

#define CONTRACT optimize("O3,fp-contract=fast")
#define PEAK(name, bytes, ...)                                        \
  __attribute__((__VA_ARGS__)) double name##_f32(std::size_t steps) { \
    using Vector [[gnu::vector_size(bytes)]] = float;                 \
    return chains<Vector, float>(steps);                              \
  }                                                                   \
  __attribute__((__VA_ARGS__)) double name##_f64(std::size_t steps) { \
    using Vector [[gnu::vector_size(bytes)]] = double;                \
    return chains<Vector, double>(steps);                             \
  }
PEAK(baseline, 16, CONTRACT)
#if defined(__x86_64__)
PEAK(avx2, 32, CONTRACT, target("avx2,fma"))
PEAK(avx512, 64, CONTRACT, target("avx512f,fma"))
#endif

volatile double sink;

Timing quartiles(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  return {samples[n / 2], samples[n / 4], samples[n - 1 - n / 4]};
}

/// A few milliseconds of run on all threads; one step counts as so many operations.
Limit limit_of(double (*run)(std::size_t), std::size_t steps, double operations, const attn::Execution& execution) {
  return {[=, &execution] {
            execution.parallel(execution.threads(), [&](std::size_t, std::size_t) { sink = run(steps); });
          },
          operations * static_cast<double>(steps * execution.threads())};
}

#if defined(__x86_64__)
/// Dot products of pairs in vectors: 12 chains, a step of each is 32 multiply-adds.
__attribute__((target("avx512f,avx512bf16"))) double vector_bf16(std::size_t steps) {
  constexpr int count = 12;
  __m512 acc[count] = {};
  __m512i ones = _mm512_set1_epi16(0x3f80);
  asm volatile("" : "+v"(ones));
#pragma GCC unroll 12
  for (int c = 0; c < count; ++c) asm volatile("" : "+v"(acc[c]));
  for (std::size_t i = 0; i < steps; ++i)
#pragma GCC unroll 12
    for (int c = 0; c < count; ++c) acc[c] = _mm512_dpbf16_ps(acc[c], (__m512bh)ones, (__m512bh)ones);
  __m512 sum = acc[0];
  for (int c = 1; c < count; ++c) sum = _mm512_add_ps(sum, acc[c]);
  return static_cast<double>(_mm512_cvtss_f32(sum));
}

/// Products of tiles: 4 chains, a step of each is 16 x 16 x 32 multiply-adds.
double tile_bf16(std::size_t steps) {
  struct alignas(64) {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  } config;
  asm volatile("ldtilecfg %0" ::"m"(config));
  for (std::size_t i = 0; i < steps; ++i)
    asm volatile(
        "tdpbf16ps %tmm7, %tmm5, %tmm0\n\ttdpbf16ps %tmm7, %tmm6, %tmm1\n\t"
        "tdpbf16ps %tmm7, %tmm5, %tmm2\n\ttdpbf16ps %tmm7, %tmm6, %tmm3");
  asm volatile("tilerelease");
  return static_cast<double>(steps);
}
#endif

}  // namespace

Timing time(const std::function<void()>& work, double seconds, int repeats) {
  work();
  std::vector<double> samples;
  const double begin = now();
  while (now() - begin < seconds || static_cast<int>(samples.size()) < repeats) {
    const double start = now();
    work();
    samples.push_back(now() - start);
  }
  return quartiles(std::move(samples));
}

double time_once(const std::function<void()>& work) {
  const double start = now();
  work();
  return now() - start;
}

Comparison beside(const std::function<void()>& work, const std::function<void()>& reference, double seconds,
                  int repeats) {
  const auto seconds_of = [](const std::function<void()>& call, int times) {
    const double start = now();
    for (int i = 0; i < times; ++i) call();
    return (now() - start) / times;
  };
  // Calls too short for a clock are counted together.
  constexpr double shortest = 3e-3;
  const auto calls = [&](const std::function<void()>& call) {
    call();
    return static_cast<int>(std::max(1.0, shortest / std::max(1e-9, seconds_of(call, 1))));
  };
  const int works = calls(work), references = calls(reference);
  std::vector<double> mine, theirs{seconds_of(reference, references)}, ratios;
  const double begin = now();
  while (now() - begin < seconds || static_cast<int>(ratios.size()) < repeats) {
    mine.push_back(seconds_of(work, works));
    theirs.push_back(seconds_of(reference, references));
    ratios.push_back(mine.back() / (theirs[theirs.size() - 2] + theirs.back()) * 2);
  }
  const Timing ratio = quartiles(std::move(ratios));
  return {quartiles(std::move(mine)), quartiles(std::move(theirs)), ratio.median, ratio.spread()};
}

Limit fma_limit(attn::Isa isa, attn::DType dtype, const attn::Execution& execution) {
  const bool f64 = dtype == attn::DType::f64;
  double (*run)(std::size_t) = f64 ? baseline_f64 : baseline_f32;
  std::size_t bytes = 16;
#if defined(__x86_64__)
  if (isa >= attn::Isa::avx512) {
    run = f64 ? avx512_f64 : avx512_f32;
    bytes = 64;
  } else if (isa == attn::Isa::avx2) {
    run = f64 ? avx2_f64 : avx2_f32;
    bytes = 32;
  }
#endif
  return limit_of(run, 3000000, 2.0 * 12 * static_cast<double>(bytes / attn::element_size(dtype)), execution);
}

Limit bf16_limit(attn::Isa isa, const attn::Execution& execution) {
#if defined(__x86_64__)
  if (isa >= attn::Isa::amxbf16) return limit_of(tile_bf16, 300000, 2.0 * 4 * 16 * 16 * 32, execution);
  if (isa >= attn::Isa::avx512bf16) return limit_of(vector_bf16, 3000000, 2.0 * 12 * 32, execution);
#endif
  return fma_limit(isa, attn::DType::f32, execution);
}

Limit read_limit(std::size_t bytes, const attn::Execution& execution) {
  const std::size_t count = bytes / sizeof(std::uint64_t), parts = execution.threads();
  const auto memory = std::make_shared<attn::Tensor>(attn::Tensor::zeros(attn::DType::u64, {count}));
  return {[=, &execution] {
            const std::uint64_t* data =
                static_cast<const attn::Tensor&>(*memory).view().contiguous_data<std::uint64_t>();
            execution.parallel(parts, [&](std::size_t part, std::size_t) {
              std::uint64_t sums[8] = {};
              const std::size_t last = (part + 1) * count / parts / 8 * 8;
              for (std::size_t i = part * count / parts / 8 * 8; i < last; i += 8)
                for (int lane = 0; lane < 8; ++lane) sums[lane] += data[i + static_cast<std::size_t>(lane)];
              sink = static_cast<double>(std::accumulate(sums, sums + 8, std::uint64_t{0}));
            });
          },
          static_cast<double>(bytes)};
}

double peak_memory(const std::function<void()>& prepare, const std::function<void()>& work) {
  // Bytes that the kernel counts under that name.
  const auto counted = [](const std::string& field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
      if (line.compare(0, field.size(), field) == 0) return 1024 * std::strtod(line.c_str() + field.size(), nullptr);
    return 0.0;
  };
  int ends[2];
  if (pipe(ends) != 0) return 0;
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    prepare();
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins here
    const double before = counted("VmRSS:");
    work();
    const double grown = counted("VmHWM:") - before;
    _exit(write(ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
  }
  double grown = 0;
  close(ends[1]);
  if (child < 0 || read(ends[0], &grown, sizeof grown) != sizeof grown) grown = 0;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return grown;
}

void report(const std::string& name, double amount, const std::function<void()>& work, const Limit& limit,
            const char* unit, double seconds) {
  if (by_line) {
    for (std::string line; std::getline(std::cin, line);) std::cout << time_once(work) << std::endl;
    return;
  }
  const Comparison c = beside(work, limit.run, seconds);
  std::printf("%-52s %9.3f ms %8.1f %s  limit %7.1f  ratio %5.3f  +-%4.1f %%\n", name.c_str(), c.work.median * 1e3,
              amount / c.work.median / 1e9, unit, limit.amount / c.reference.median / 1e9,
              amount / limit.amount / c.ratio, c.spread * 100);
  std::fflush(stdout);
}

int Arguments::status() const {
  const auto is_selected = [this](const std::string& name) { return name.find(filter) != std::string::npos; };
  if (std::any_of(offered.begin(), offered.end(), is_selected)) return 0;
  std::fprintf(stderr, "'%s' is no part of:\n", filter.c_str());
  for (const std::string& name : offered) std::fprintf(stderr, "  %s\n", name.c_str());
  return 2;
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  std::size_t threads = attn::usable_threads();
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--threads" && i + 1 < argc)
      threads = std::strtoul(argv[++i], nullptr, 10);
    else if (word == "--isa" && i + 1 < argc)
      arguments.execution.isa = attn::isa_from_name(argv[++i]);
    else if (word == "--processor-time")
      by_processor_time = true;
    else if (word == "--by-line")
      by_line = true;
    else
      arguments.filter = word;
  }
  processors = threads;
  arguments.pool = std::make_unique<attn::ThreadPool>(threads);
  arguments.execution.pool = arguments.pool.get();
  if (!by_line)
    std::printf("threads %zu, instruction set %s\n", threads,
                std::string(attn::name_of(arguments.execution.isa)).c_str());
  return arguments;
}

}  // namespace bench
