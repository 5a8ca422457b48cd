#include <attn/core/execution.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace attn;

TEST_CASE("every task runs once, whatever the number of threads") {
  for (const std::size_t threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (const std::size_t tasks : {0, 1, 3, 1000}) {
      std::vector<std::atomic<int>> runs(tasks);
      pool.run(tasks, [&](std::size_t task, std::size_t worker) {
        REQUIRE(worker < threads);
        ++runs[task];
      });
      for (const auto& count : runs) REQUIRE(count == 1);
    }
  }
}

TEST_CASE("a worker takes its own share, and then what is left of the others") {
  constexpr std::size_t tasks = 9;
  ThreadPool pool(2);
  // While task 0 waits for all others, who runs it cannot take the rest of its share.
  std::atomic<std::size_t> done{0};
  std::vector<std::size_t> worker_of(tasks);
  const auto work = [&](std::size_t task, std::size_t worker) {
    worker_of[task] = worker;
    while (task == 0 && done.load() < tasks - 1) std::this_thread::yield();
    ++done;
  };
  pool.run(tasks, work);
  for (std::size_t task = 1; task < tasks / 2; ++task) CHECK(worker_of[task] != worker_of[0]);
  // While the first of each share waits for the other, nobody is ahead: each goes on in its own.
  std::atomic<int> begun{0};
  const auto meet = [&](std::size_t task, std::size_t worker) {
    worker_of[task] = worker;
    if (task == 0 || task == tasks / 2) ++begun;
    while (begun.load() < 2) std::this_thread::yield();
  };
  pool.run(tasks, meet);
  CHECK(worker_of[0] == 0);
  CHECK(worker_of[tasks / 2] == 1);
}

TEST_CASE("the exception of the lowest failing task comes out, and the pool lives on") {
  ThreadPool pool(3);
  for (int repeat = 0; repeat < 20; ++repeat) {
    try {
      pool.run(50, [](std::size_t task, std::size_t) {
        if (task % 7 == 3) throw std::runtime_error(std::to_string(task));
      });
      FAIL("no exception");
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()) == "3");
    }
  }
  std::atomic<int> count{0};
  pool.run(10, [&](std::size_t, std::size_t) { ++count; });
  CHECK(count == 10);
}

TEST_CASE("a run inside a task does not wait for itself") {
  ThreadPool pool(2);
  std::atomic<int> count{0};
  pool.run(4, [&](std::size_t, std::size_t) { pool.run(4, [&](std::size_t, std::size_t) { ++count; }); });
  CHECK(count == 16);
}

TEST_CASE("without a pool the caller runs all tasks in order") {
  const Execution alone;
  std::vector<std::size_t> order;
  alone.parallel(4, [&](std::size_t task, std::size_t worker) {
    CHECK(worker == 0);
    order.push_back(task);
  });
  CHECK(order == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(usable_threads() >= 1);
}
