#include <attn/core/constants.hpp>
#include <attn/transformer/decoding/sampling.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

using namespace attn;

namespace {}  // namespace

TEST_CASE("random numbers: xoshiro256** as its authors' program prints it for the state 1, 2, 3, 4") {
  RandomNumbers random({1, 2, 3, 4});
  for (const std::uint64_t expected : {11520u, 0u, 1509978240u}) CHECK(random.next() == expected);
  CHECK(random.next() == 1215971899390074240u);
}

TEST_CASE("random numbers: each seed and each stream is a sequence of its own, uniform in [0, 1)") {
  RandomNumbers a(42, 0), b(42, 0), c(42, 1), d(43, 0);
  const std::uint64_t first = a.next();
  CHECK(first == b.next());
  CHECK(first != c.next());
  CHECK(first != d.next());
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = a.uniform();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    sum += u;
  }
  CHECK(std::abs(sum / 100000 - 0.5) < 5 / std::sqrt(12.0 * 100000));
}

TEST_CASE("sampling: typical, epsilon and eta leave what their papers say") {
  const std::vector<double> p{0.5, 0.2, 0.15, 0.1, 0.05};
  std::vector<double> scores;
  for (const double x : p) scores.push_back(std::log(x));
  const auto left = [&](const SamplingParameters& parameters) {
    RandomNumbers random(3, 0);
    std::set<std::int64_t> tokens;
    for (int i = 0; i < 4000; ++i) tokens.insert(draw_token(scores, parameters, random));
    return tokens;
  };
  SamplingParameters parameters;
  parameters.enabled = true;
  // Entropy 1.333; |log p + entropy|: 0.64, 0.28, 0.56, 0.97, 1.66.
  parameters.typical_p = 0.2;
  CHECK(left(parameters) == std::set<std::int64_t>{1});
  parameters.typical_p = 0.3;
  CHECK(left(parameters) == std::set<std::int64_t>{1, 2});
  parameters.typical_p = 0.36;
  CHECK(left(parameters) == std::set<std::int64_t>{0, 1, 2});
  parameters = {};
  parameters.enabled = true;
  parameters.epsilon = 0.12;
  CHECK(left(parameters) == std::set<std::int64_t>{0, 1, 2});
  parameters.epsilon = 0.9;
  CHECK(left(parameters) == std::set<std::int64_t>{0});
  // sqrt(0.16) e^-1.333 = 0.105 is the smaller one; of 0.01 it is 0.01 itself.
  parameters.epsilon = 0;
  parameters.eta = 0.16;
  CHECK(left(parameters) == std::set<std::int64_t>{0, 1, 2});
  parameters.eta = 0.01;
  CHECK(left(parameters).size() == 5);
}

TEST_CASE("sampling: frequencies follow the softmax") {
  const std::vector<double> scores{std::log(0.5), std::log(0.2), std::log(0.3), -attn::infinity};
  SamplingParameters parameters;
  RandomNumbers random(7, 0);
  const int draws = 100000;
  std::vector<int> counts(4, 0);
  for (int i = 0; i < draws; ++i) ++counts[static_cast<std::size_t>(draw_token(scores, parameters, random))];
  const double expected[] = {0.5, 0.2, 0.3};
  for (std::size_t i = 0; i < 3; ++i)  // five standard deviations of a binomial count
    CHECK(std::abs(counts[i] - expected[i] * draws) < 5 * std::sqrt(expected[i] * (1 - expected[i]) * draws));
  CHECK(counts[3] == 0);
}

TEST_CASE("sampling: the cuts leave what they should") {
  const std::vector<double> scores{std::log(0.4), std::log(0.3), std::log(0.2), std::log(0.1)};
  const auto drawn = [&](SamplingParameters parameters) {
    RandomNumbers random(1, 0);
    std::set<std::int64_t> tokens;
    for (int i = 0; i < 2000; ++i) tokens.insert(draw_token(scores, parameters, random));
    return tokens;
  };
  SamplingParameters parameters;
  CHECK(drawn(parameters).size() == 4);
  parameters.top_k = 2;
  CHECK(drawn(parameters) == std::set<std::int64_t>{0, 1});
  parameters.top_k = 0;
  parameters.top_p = 0.65;
  CHECK(drawn(parameters) == std::set<std::int64_t>{0, 1});
  parameters.top_p = 0.75;
  CHECK(drawn(parameters) == std::set<std::int64_t>{0, 1, 2});
  parameters.top_p = 1e-9;
  CHECK(drawn(parameters) == std::set<std::int64_t>{0});
  parameters.top_p = 1;
  parameters.min_p = 0.4;
  CHECK(drawn(parameters) == std::set<std::int64_t>{0, 1, 2});
  parameters.min_p = 0;
  parameters.temperature = 1e-3;
  CHECK(drawn(parameters) == std::set<std::int64_t>{0});
}

TEST_CASE("sampling: cuts that have to leave some leave the best of them, or the most typical") {
  const std::vector<double> p{0.5, 0.2, 0.15, 0.1, 0.05};
  const auto left = [&](const SamplingParameters& parameters, std::size_t least) {
    std::vector<double> scores;
    for (const double x : p) scores.push_back(std::log(x));
    leave_probable(scores, parameters, least);
    std::set<std::size_t> tokens;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (!(scores[i] > -attn::infinity)) continue;
      CHECK(scores[i] == std::log(p[i]) / parameters.temperature);
      tokens.insert(i);
    }
    return tokens;
  };
  SamplingParameters parameters;
  parameters.temperature = 2;
  CHECK(left(parameters, 1).size() == 5);
  for (double SamplingParameters::*cut : {&SamplingParameters::min_p, &SamplingParameters::epsilon}) {
    parameters = {};
    parameters.*cut = 0.9;
    CHECK(left(parameters, 1) == std::set<std::size_t>{0});
    CHECK(left(parameters, 3) == std::set<std::size_t>{0, 1, 2});
  }
  parameters = {};
  parameters.top_k = 1;
  CHECK(left(parameters, 2) == std::set<std::size_t>{0, 1});
  parameters = {};
  parameters.top_p = 0.1;
  CHECK(left(parameters, 2) == std::set<std::size_t>{0, 1});
  parameters = {};
  parameters.eta = 0.9;
  CHECK(left(parameters, 1) == std::set<std::size_t>{0});
  CHECK(left(parameters, 2) == std::set<std::size_t>{0, 1});
  parameters = {};
  parameters.typical_p = 0.1;  // |log p + entropy|: 0.64, 0.28, 0.56, 0.97, 1.66
  CHECK(left(parameters, 1) == std::set<std::size_t>{1});
  CHECK(left(parameters, 2) == std::set<std::size_t>{1, 2});
}

TEST_CASE("sampling: several are drawn one after the other, none twice") {
  const std::vector<double> p{0.5, 0.2, 0.3};
  const std::vector<double> scores{std::log(0.5), -attn::infinity, std::log(0.2), std::log(0.3)};
  RandomNumbers random(5, 0);
  std::map<std::vector<std::size_t>, int> counts;
  const int draws = 60000;
  for (int i = 0; i < draws; ++i) ++counts[draw_several(scores, 2, random)];
  CHECK(counts.size() == 6);
  const std::size_t ids[] = {0, 2, 3};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      if (a == b) continue;
      const double expected = p[a] * p[b] / (1 - p[a]);  // five standard deviations of a binomial count
      CHECK(std::abs(counts[{ids[a], ids[b]}] - expected * draws) < 5 * std::sqrt(expected * (1 - expected) * draws));
    }
  CHECK(draw_several(scores, 9, random).size() == 3);
  CHECK(draw_several({-attn::infinity, -attn::infinity}, 1, random).empty());
}

TEST_CASE("sampling: where one weight is nearly all, the rest are still drawn by their own, however many they are") {
  std::vector<double> scores(2000, -80.0);  // beside 1 a sum of all of them is nothing
  scores[700] = 0;
  scores[1999] = -80 + std::log(1999);  // as probable as all the others together
  RandomNumbers random(6, 0);
  const int draws = 4000;
  int last = 0, low = 0;
  for (int i = 0; i < draws; ++i) {
    const std::vector<std::size_t> drawn = draw_several(scores, 3, random);
    REQUIRE(drawn.size() == 3);
    CHECK(drawn[0] == 700);
    CHECK(std::set<std::size_t>(drawn.begin(), drawn.end()).size() == 3);
    last += drawn[1] == 1999;
    low += drawn[1] < 1000;
  }
  CHECK(std::abs(last - draws * 0.5) < 5 * std::sqrt(draws * 0.25));
  CHECK(std::abs(low - draws * 0.25) < 5 * std::sqrt(draws * 0.25 * 0.75));
}
