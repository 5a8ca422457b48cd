#pragma once
// How benchmarks measure: repeat, drop the warm-up, report the median and the spread, and beside it the limit of the
// machine measured in turns with the work.

#include <attn/core/execution.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

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

/// Seconds of one call, the first.
double time_once(const std::function<void()>& work);

/// Work and what it is held against, called in turns: what a shared machine can do changes from second to second, so
/// each call of the work is divided by the mean of the two calls of the reference around it.
struct Comparison {
  Timing work, reference;
  double ratio = 0;   ///< time of the work over time of the reference, median
  double spread = 0;  ///< half the distance of the quartiles as a part of the ratio
};
Comparison beside(const std::function<void()>& work, const std::function<void()>& reference, double seconds = 0.5,
                  int repeats = 5);

/// What a machine can do at most: a loop of known work, in operations or bytes.
struct Limit {
  std::function<void()> run;
  double amount;
  double rate() const { return amount / time(run, 0.2).lower; }
};

/// Multiply-adds (as 2 operations) of all threads together: independent chains in registers.
Limit fma_limit(attn::Isa isa, attn::DType dtype, const attn::Execution& execution);

/// The same for products of bf16 summed in f32: in tiles, in vectors, or where neither is, of f32.
Limit bf16_limit(attn::Isa isa, const attn::Execution& execution);

/// Bytes that all threads read from `bytes` of memory together.
Limit read_limit(std::size_t bytes, const attn::Execution& execution);

/// Bytes of memory that the work takes at its peak beyond what the process has when it begins; 0 where the system does
/// not say. In a process of its own, so that nothing kept from earlier work hides it.
double peak_memory(const std::function<void()>& prepare, const std::function<void()>& work);

/// Measures work of that amount beside the limit and prints a line: name, rate in units of 1e9, the limit at the same
/// time and their ratio.
void report(const std::string& name, double amount, const std::function<void()>& work, const Limit& limit,
            const char* unit, double seconds = 0.5);

/// Parsed command line of a benchmark: --threads N, --isa NAME, --processor-time (for machines that others use too:
/// what they take does not count), --by-line (the first of what is selected runs once for each line of standard input
/// and only its seconds are printed, so that another program takes turns with it), and a word that selects what runs
/// (by substring).
struct Arguments {
  attn::Execution execution;
  std::unique_ptr<attn::ThreadPool> pool;
  std::string filter;
  mutable std::vector<std::string> offered;  ///< what selects() was asked of

  bool selects(const std::string& name) const {
    offered.push_back(name);
    return name.find(filter) != std::string::npos;
  }
  /// What the benchmark exits with: 0, or 2 where nothing was selected, saying what can be.
  int status() const;
};
Arguments parse(int argc, char** argv);

}  // namespace bench
