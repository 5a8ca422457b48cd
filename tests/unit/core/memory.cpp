#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>

#include <doctest/doctest.h>

#include "support/errors.hpp"
#include "support/limited_memory.hpp"

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

using attn::allocate_bytes;

TEST_CASE("memory: aligned for every size") {
  for (const std::size_t bytes : {0, 1, 63, 65, 1 << 16, (1 << 16) + 1, 1 << 22, (1 << 23) + 5}) {
    const auto memory = allocate_bytes(bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(memory.get()) % 64 == 0);
    std::memset(memory.get(), 1, bytes);
  }
}

TEST_CASE("memory: a large block that was let go serves the next request of its size, never two at a time") {
  const void* first = allocate_bytes(1 << 20).get();
  const auto again = allocate_bytes(1 << 20);
  CHECK(again.get() == first);
  CHECK(allocate_bytes(1 << 20).get() != first);
  const auto larger = allocate_bytes((1 << 20) * 2);
  CHECK(larger.get() != first);
}

TEST_CASE("memory: of blocks of one size the one that was let go last is taken first") {
  constexpr std::size_t bytes = 3 << 20;
  auto first = allocate_bytes(bytes), second = allocate_bytes(bytes);
  const void *earlier = first.get(), *later = second.get();
  first.reset();
  second.reset();
  const auto again = allocate_bytes(bytes), after_it = allocate_bytes(bytes);
  CHECK(again.get() == later);
  CHECK(after_it.get() == earlier);
}

TEST_CASE("memory: a block is counted, and refused before it is allocated") {
  const std::uint64_t before = attn::memory_account().held();
  const support::LimitedMemory limited(3 << 20);
  {
    const auto first = allocate_bytes(2 << 20);
    CHECK(attn::memory_account().held() == before + (2 << 20));
    CHECK(support::kind_of([] { allocate_bytes(2 << 20); }) == attn::ErrorKind::memory);
    CHECK(support::kind_of([] { allocate_bytes(std::size_t{1} << 60); }) == attn::ErrorKind::memory);
    CHECK(attn::memory_account().held() == before + (2 << 20));
    const auto second = allocate_bytes(1 << 20);
    const auto small = allocate_bytes(1000);  // never ends a run whose large blocks fit
    CHECK(attn::memory_account().held() == before + (3 << 20));
  }
  CHECK(attn::memory_account().held() == before);
  CHECK(allocate_bytes(3 << 20).get() != nullptr);
}

TEST_CASE("memory: blocks change hands between threads") {
  std::vector<std::thread> threads;
  std::vector<int> clashes(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &clashes] {
      for (int i = 0; i < 500; ++i) {
        const auto memory = allocate_bytes((1 << 16) + i % 3 * 4096);
        std::memset(memory.get(), t, 1 << 16);
        const auto* bytes = static_cast<const unsigned char*>(memory.get());
        for (std::size_t j = 0; j < 1 << 16; j += 512) clashes[t] += bytes[j] != t;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(clashes == std::vector<int>(4, 0));
}

TEST_CASE("memory: what grows by small pieces is counted behind its first megabyte, and given back as one") {
  const std::uint64_t before = attn::memory_account().held();
  const support::LimitedMemory limited(3 << 20);
  {
    attn::MemoryShare share("names");
    for (int i = 0; i < 3 << 10; ++i) share.grow(1 << 10);
    CHECK(attn::memory_account().held() == before + (2 << 20));
    CHECK(support::kind_of([&] { share.grow(std::uint64_t{1} << 60); }) == attn::ErrorKind::memory);
  }
  CHECK(attn::memory_account().held() == before);
}
