// Sorting with places against std::stable_sort.
#include <attn/regression/samples/argsort.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "support/random.hpp"

using namespace attn;

TEST_CASE("sorting with places: the order of std::stable_sort, of numbers that crowd, repeat or lie far out") {
  support::Random random(6);
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<std::function<double(std::size_t)>> makers = {
      [&](std::size_t) { return random.uniform(); },
      [&](std::size_t) { return random.normal() * std::pow(10.0, 300 * random.normal() / 4); },
      [&](std::size_t) { return static_cast<double>(random.between(0, 6)) - 3; },
      [&](std::size_t i) { return i == 5 ? 1e300 : 1e12 + std::floor(1e4 * random.uniform()); },
      [&](std::size_t i) { return i % 3 == 0   ? -0.0
                                  : i % 3 == 1 ? 0.0
                                               : random.normal() * 5e-324; },
      [&](std::size_t i) { return i % 7 == 0    ? inf
                                  : i % 11 == 0 ? -inf
                                                : random.normal(); },
      [](std::size_t i) { return -static_cast<double>(i); },
      [](std::size_t) { return 2.0; },
  };
  ThreadPool pool(2);
  Execution threads;
  threads.pool = &pool;
  for (std::size_t maker = 0; maker < makers.size(); ++maker)
    for (const std::size_t n : {0u, 1u, 2u, 100u, 5000u, 200000u}) {
      std::vector<double> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = makers[maker](i);
      std::vector<std::uint32_t> expected(n);
      std::iota(expected.begin(), expected.end(), 0u);
      std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) {
        if (values[a] != values[b]) return values[a] < values[b];
        return std::signbit(values[a]) && !std::signbit(values[b]);
      });
      for (const Execution& execution : {Execution{}, threads}) {
        CAPTURE(maker);
        CAPTURE(n);
        std::vector<double> sorted = values;
        CHECK(sort_with_order(sorted.data(), n, execution) == expected);
        std::size_t differing = 0;
        for (std::size_t i = 0; i < n; ++i)
          differing += std::memcmp(&sorted[i], &values[expected[i]], sizeof(double)) != 0;
        CHECK(differing == 0);
      }
    }
}

TEST_CASE("sorting with places: so many numbers that there are more buckets") {
  support::Random random(7);
  std::vector<double> values((std::size_t{1} << 22) + 3);
  for (double& value : values) value = std::floor(1e6 * random.normal());
  ThreadPool pool(2);
  Execution threads;
  threads.pool = &pool;
  std::vector<double> sorted = values;
  const std::vector<std::uint32_t> order = sort_with_order(sorted.data(), sorted.size(), threads);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    wrong += sorted[i] != values[order[i]];
    if (i > 0) wrong += sorted[i - 1] > sorted[i] || (sorted[i - 1] == sorted[i] && order[i - 1] >= order[i]);
  }
  CHECK(wrong == 0);
}
