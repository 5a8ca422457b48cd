#pragma once
// The thread pool: all computation on several threads uses it. (io/bytes/prefault.hpp has a thread that only waits for
// the kernel.)

#include <attn/core/api.hpp>

#include <cstddef>
#include <functional>
#include <memory>

namespace ATTN_API attn {

/// A fixed number of workers that share numbered tasks.
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

}  // namespace attn
