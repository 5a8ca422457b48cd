#include <attn/core/execution.hpp>

#include <attn/core/memory/control_group.hpp>
#include <attn/core/system.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace attn {
namespace {

thread_local bool inside_task = false;

/// Tasks next ... end of a worker's own share that no worker has taken. The share of a worker begins at worker n /
/// workers for n tasks, so if the layers of a model process the same rows, a worker finds its own results in its
/// caches.
struct alignas(64) Share {
  std::atomic<std::size_t> next{0};
  std::size_t end = 0;
};

struct Job {
  const std::function<void(std::size_t, std::size_t)>& body;
  std::vector<Share> shares;
  std::mutex failure_mutex;
  std::size_t failed_task = 0;
  std::exception_ptr failure;

  Job(const std::function<void(std::size_t, std::size_t)>& work, std::size_t tasks, std::size_t workers)
      : body(work), shares(workers) {
    for (std::size_t worker = 0; worker < workers; ++worker) {
      shares[worker].next = worker * tasks / workers;
      shares[worker].end = (worker + 1) * tasks / workers;
    }
  }

  /// Takes the worker's own share first, then the rest of the others.
  void work(std::size_t worker) {
    inside_task = true;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      Share& share = shares[(worker + i) % shares.size()];
      for (std::size_t task; (task = share.next.fetch_add(1)) < share.end;) run(task, worker);
    }
    inside_task = false;
  }

 private:
  void run(std::size_t task, std::size_t worker) {
    try {
      body(task, worker);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failure_mutex);
      if (!failure || task < failed_task) {
        failure = std::current_exception();
        failed_task = task;
      }
    }
  }
};

/// Lets the processor's other half work while this one waits.
inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits for `ready` without sleeping, for a short while. The products of one decoding step follow each other within
/// microseconds, and waking a thread that sleeps takes longer than many of them.
template <class Ready>
bool spin(const Ready& ready) {
  constexpr auto patience = std::chrono::microseconds(100);
  constexpr int pauses = 32;
  for (const auto start = std::chrono::steady_clock::now();;) {
    for (int i = 0; i < pauses; ++i) {
      if (ready()) return true;
      pause();
    }
    if (std::chrono::steady_clock::now() - start > patience) return false;
  }
}

}  // namespace

struct ThreadPool::State {
  std::size_t threads;
  bool spins = false;  ///< only where every thread has a processor of its own
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  Job* job = nullptr;  ///< written before generation grows
  std::atomic<std::size_t> generation{0}, running{0};
  std::atomic<bool> stopping{false};

  void loop(std::size_t worker) {
    for (std::size_t seen = 0;;) {
      const auto called = [&] { return stopping.load() || generation.load() != seen; };
      if (!spins || !spin(called)) {
        std::unique_lock<std::mutex> lock(mutex);
        wake.wait(lock, called);
      }
      if (stopping.load()) return;
      seen = generation.load();
      job->work(worker);
      if (running.fetch_sub(1) != 1) continue;
      const std::lock_guard<std::mutex> lock(mutex);
      done.notify_one();
    }
  }
};

ThreadPool::ThreadPool(std::size_t threads) : state_(std::make_unique<State>()) {
  state_->threads = std::max<std::size_t>(threads, 1);
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

std::size_t ThreadPool::threads() const noexcept { return state_->threads; }

void ThreadPool::run(std::size_t tasks, const std::function<void(std::size_t, std::size_t)>& body) {
  if (inside_task || state_->threads == 1 || tasks <= 1) {
    for (std::size_t task = 0; task < tasks; ++task) body(task, 0);
    return;
  }
  Job job(body, tasks, state_->threads);
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    if (state_->workers.empty()) state_->spins = state_->threads <= usable_threads();
    while (state_->workers.size() + 1 < state_->threads) {
      const std::size_t worker = state_->workers.size() + 1;
      state_->workers.emplace_back([this, worker] { state_->loop(worker); });
    }
    state_->job = &job;
    state_->running = state_->workers.size();
    ++state_->generation;
  }
  state_->wake.notify_all();
  job.work(0);
  const auto all_done = [&] { return state_->running.load() == 0; };
  if (!state_->spins || !spin(all_done)) {
    std::unique_lock<std::mutex> lock(state_->mutex);
    state_->done.wait(lock, all_done);
  }
  if (job.failure) std::rethrow_exception(job.failure);
}

std::size_t usable_threads() {
  std::size_t threads = system::processors().value_or(std::max(1u, std::thread::hardware_concurrency()));
  if (const std::optional<double> quota = processor_quota())
    threads = std::min(threads, static_cast<std::size_t>(std::max(1.0, *quota)));
  return threads;
}

}  // namespace attn
