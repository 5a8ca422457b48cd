#pragma once
// How benchmarks measure: repeat, drop the warm-up, report the median and the spread, and beside it the limit of the
// machine measured in the same run.

#include <attn/core/execution.hpp>

#include <functional>
#include <memory>
#include <string>

namespace bench {

/// Seconds of one call.
struct Timing {
  double median = 0;
  double lower = 0, upper = 0;  ///< quartiles
  /// Half the distance of the quartiles as a part of the median.
  double spread() const { return (upper - lower) / 2 / median; }
};

/// Calls work until `seconds` have passed and at least `repeats` times, after one call that is not counted.
Timing time(const std::function<void()>& work, double seconds = 0.5, int repeats = 5);

/// Multiply-adds (as 2 operations) per second, all threads together: independent chains in registers.
double fma_peak(attn::Isa isa, attn::DType dtype, const attn::Execution& execution);

/// The same for products of bf16 summed in f32: in tiles, in vectors, or where neither is, of f32.
double bf16_peak(attn::Isa isa, const attn::Execution& execution);

/// Bytes per second when all threads read `bytes` of memory together.
double read_bandwidth(std::size_t bytes, const attn::Execution& execution);

/// Bytes of memory that the work takes at its peak beyond what the process has when it begins; 0 where the system does
/// not say. In a process of its own, so that nothing kept from earlier work hides it.
double peak_memory(const std::function<void()>& prepare, const std::function<void()>& work);

/// One line: name, rate in units of 1e9, the limit and their ratio.
void report(const std::string& name, double amount, const Timing& timing, double limit, const char* unit);

/// Parsed command line of a benchmark: --threads N, --isa NAME, --processor-time (for machines that others use too:
/// what they take does not count), and a word that selects what runs (by substring).
struct Arguments {
  attn::Execution execution;
  std::unique_ptr<attn::ThreadPool> pool;
  std::string filter;
  bool selects(const std::string& name) const { return name.find(filter) != std::string::npos; }
};
Arguments parse(int argc, char** argv);

}  // namespace bench
