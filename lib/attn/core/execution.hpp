#pragma once
// How to compute: engine, instruction set, threads, and hooks. It is passed down explicitly; nothing below reads the
// environment.

#include <attn/core/export.hpp>
#include <attn/core/isa.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/tensor.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace ATTN_API attn {

/// The thread pool: all computation on several threads uses it. (io/bytes/prefault.hpp has a thread that only waits for
/// the kernel.) A fixed number of workers that share numbered tasks.
///
/// Which worker runs a task depends on timing; what a task computes must not. Results have the same bits for any number
/// of threads if tasks are cut by the problem and never by the number of workers.
class ThreadPool {
 public:
  /// threads >= 1, including the caller's. Threads start at the first call of run() with work for them.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const noexcept;

  /// Calls body(task, worker) for every task in [0, tasks), worker in [0, threads()). Returns when all are done; throws
  /// the exception of the lowest failing task. A call inside a task runs on its own thread alone.
  void run(std::size_t tasks, const std::function<void(std::size_t task, std::size_t worker)>& body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The number of threads that this process may use, by affinity and the quota of its control group.
std::size_t usable_threads();

/// The number of operations in a dry run: additions and multiplications, by any number of threads; an exponential
/// counts as one.
class OperationCount {
 public:
  void add(double operations) noexcept {
    double before = total_;
    while (!total_.compare_exchange_weak(before, before + operations)) {
    }
  }
  /// Returns the count and resets it.
  double take() noexcept { return total_.exchange(0); }

 private:
  std::atomic<double> total_{0};
};

enum class Engine : std::uint8_t {
  automatic,  ///< the fastest that is exact to rounding
  reference   ///< the formulas in f64, by xtensor and BLAS in a module that is loaded for them
};

/// Sees every intermediate tensor by the name of its place in the architecture ("encoder/0/self_attn/q").
/// The view is valid during the call; keep a copy of the view to keep the memory.
using TraceHook = std::function<void(const std::string& name, const TensorView& tensor)>;

/// Reports the progress of a long computation: done of total units.
using ProgressHook = std::function<void(std::size_t done, std::size_t total)>;

struct Execution {
  Engine engine = Engine::automatic;
  Isa isa = native_isa();
  ThreadPool* pool = nullptr;  ///< none: the calling thread alone
  TraceHook trace;             ///< none: no trace
  ProgressHook progress;
  OperationCount* dry_run = nullptr;  ///< if set, costly operations are counted here and give zeros

  std::size_t threads() const noexcept { return pool != nullptr ? pool->threads() : 1; }

  /// In a dry run, counts the additions and multiplications and returns true: the caller then returns zeros of the
  /// right shape instead of computing.
  bool only_counts(double operations) const noexcept {
    if (dry_run != nullptr) dry_run->add(operations);
    return dry_run != nullptr;
  }

  /// The number of bytes that may still be allocated, for choosing block sizes.
  static std::size_t memory_left() noexcept { return static_cast<std::size_t>(memory_account().left()); }

  /// Runs body(task, worker) for each task, on the pool if there is one.
  void parallel(std::size_t tasks, const std::function<void(std::size_t task, std::size_t worker)>& body) const {
    if (pool != nullptr) return pool->run(tasks, body);
    for (std::size_t task = 0; task < tasks; ++task) body(task, 0);
  }

  /// The same, and reports the progress after each task.
  void parallel_with_progress(std::size_t tasks,
                              const std::function<void(std::size_t task, std::size_t worker)>& body) const {
    if (!progress) return parallel(tasks, body);
    std::atomic<std::size_t> done{0};
    parallel(tasks, [&](std::size_t task, std::size_t worker) {
      body(task, worker);
      progress(++done, tasks);
    });
  }

  /// The same without progress reports, for a step of a longer computation.
  Execution without_progress() const {
    Execution quiet = *this;
    quiet.progress = nullptr;
    return quiet;
  }

  /// The same for work of about `steps` additions: without the pool if the work takes less time than waking threads.
  Execution sized_for(std::size_t steps) const {
    constexpr std::size_t small_work = std::size_t{1} << 17;
    Execution sized = *this;
    if (steps < small_work) sized.pool = nullptr;
    return sized;
  }

  /// Passes an intermediate tensor to the trace.
  void show(const std::string& name, const TensorView& tensor) const {
    if (trace) trace(name, tensor);
  }

  /// The same for a part of the architecture: its tensor "q" is traced as "PLACE/q".
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
