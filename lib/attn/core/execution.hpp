#pragma once
// How to compute: engine, instruction set, threads, and who watches. Handed down explicitly; nothing below reads the
// environment.

#include <attn/core/isa.hpp>
#include <attn/core/memory_account.hpp>
#include <attn/core/operation_count.hpp>
#include <attn/core/parallel.hpp>
#include <attn/core/tensor.hpp>

#include <atomic>
#include <functional>
#include <string>

namespace ATTN_API attn {

enum class Engine : std::uint8_t {
  automatic,  ///< the fastest that is exact to rounding
  reference   ///< the naive twin: plain loops in f64 that read like the formula
};

/// Sees every intermediate tensor by the name of its place in the architecture ("encoder/0/self_attn/q").
/// The view is valid during the call; keep a copy of the view to keep the memory.
using TraceHook = std::function<void(const std::string& name, const TensorView& tensor)>;

/// Told how far a long computation has come: done of total units.
using ProgressHook = std::function<void(std::size_t done, std::size_t total)>;

struct Execution {
  Engine engine = Engine::automatic;
  Isa isa = native_isa();
  ThreadPool* pool = nullptr;  ///< none: the calling thread alone
  TraceHook trace;             ///< none: nobody watches
  ProgressHook progress;
  OperationCount* dry_run = nullptr;  ///< none: computes; else costly operations are counted here and give zeros

  std::size_t threads() const noexcept { return pool != nullptr ? pool->threads() : 1; }

  /// In a dry run counts so many additions and multiplications, for whoever then gives zeros of the right shape instead
  /// of computing; false otherwise.
  bool only_counts(double operations) const noexcept {
    if (dry_run != nullptr) dry_run->add(operations);
    return dry_run != nullptr;
  }

  /// Bytes that may still be taken: block sizes follow from it.
  static std::size_t memory_left() noexcept { return static_cast<std::size_t>(memory_account().left()); }

  /// Runs body(task, worker) for each task, on the pool where there is one.
  void parallel(std::size_t tasks, const std::function<void(std::size_t task, std::size_t worker)>& body) const {
    if (pool != nullptr) return pool->run(tasks, body);
    for (std::size_t task = 0; task < tasks; ++task) body(task, 0);
  }

  /// The same, and tells progress of each task that is done.
  void parallel_with_progress(std::size_t tasks,
                              const std::function<void(std::size_t task, std::size_t worker)>& body) const {
    if (!progress) return parallel(tasks, body);
    std::atomic<std::size_t> done{0};
    parallel(tasks, [&](std::size_t task, std::size_t worker) {
      body(task, worker);
      progress(++done, tasks);
    });
  }

  /// The same way of computing, with nobody told how far it is: for a step of a longer computation.
  Execution without_progress() const {
    Execution quiet = *this;
    quiet.progress = nullptr;
    return quiet;
  }

  /// The same for work of that many additions or the like: alone where it would be done before other threads had come.
  Execution sized_for(std::size_t steps) const {
    constexpr std::size_t small_work = std::size_t{1} << 17;
    Execution sized = *this;
    if (steps < small_work) sized.pool = nullptr;
    return sized;
  }

  /// Shows an intermediate tensor to whoever watches.
  void show(const std::string& name, const TensorView& tensor) const {
    if (trace) trace(name, tensor);
  }

  /// The same for a part of the architecture: what it shows as "q" is seen as "PLACE/q".
  Execution within(const std::string& place) const {
    Execution inner = *this;
    if (trace)
      inner.trace = [outer = trace, place](const std::string& name, const TensorView& tensor) {
        outer(place + "/" + name, tensor);
      };
    return inner;
  }
};

}  // namespace attn
