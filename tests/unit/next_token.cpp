#include <attn/transformer/next_token.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

using namespace attn;

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
const std::vector<std::int64_t> end_tokens{2};
const std::vector<std::int64_t> source;

}  // namespace

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

TEST_CASE("best token: the first among equals, NaN never wins") {
  CHECK(best_token({1, 3, 3, 2}) == 1);
  CHECK(best_token({std::nan(""), -5, std::nan("")}) == 1);
  CHECK(best_token({minus_infinity, minus_infinity}) == 0);
}

TEST_CASE("rules: repetition penalty divides positive scores and multiplies negative ones, once a token") {
  NextTokenRules rules;
  rules.repetition_penalty = 2;
  std::vector<double> scores{4, -4, 4, -4};
  apply(rules, {{0, 1, 0}, 0, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>{2, -8, 4, -4});
}

TEST_CASE("rules: no n-gram twice") {
  NextTokenRules rules;
  rules.no_repeat_ngram = 3;
  std::vector<double> scores(5, 1.0);
  apply(rules, {{1, 2, 3, 4, 1, 2}, 0, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>{1, 1, 1, minus_infinity, 1});
  rules.no_repeat_ngram = 1;
  scores.assign(5, 1.0);
  apply(rules, {{1, 4}, 0, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>{1, minus_infinity, 1, 1, minus_infinity});
  scores.assign(5, 1.0);
  rules.no_repeat_ngram = 4;
  apply(rules, {{1, 1}, 0, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>(5, 1.0));
}

TEST_CASE("rules: minimum length, forced first and last token") {
  NextTokenRules rules;
  rules.min_new_tokens = 2;
  std::vector<double> scores(4, 0.0);
  apply(rules, {{1}, 1, 9, end_tokens, source}, scores);
  CHECK(scores[2] == minus_infinity);
  scores.assign(4, 0.0);
  apply(rules, {{1}, 2, 9, end_tokens, source}, scores);
  CHECK(scores[2] == 0);
  rules.forced_first = 3;
  apply(rules, {{1}, 0, 9, end_tokens, source}, scores);
  CHECK(best_token(scores) == 3);
  rules.forced_last = 2;
  scores.assign(4, 1.0);
  apply(rules, {{1}, 8, 9, end_tokens, source}, scores);
  CHECK(best_token(scores) == 2);
}

TEST_CASE("rules: what the source says, biases, an end that becomes more probable, log-probabilities") {
  NextTokenRules rules;
  rules.source_repetition_penalty = 2;
  std::vector<double> scores{4, -4, 4, -4};
  const std::vector<std::int64_t> read{0, 1, 900};  // of a source with another vocabulary
  apply(rules, {{3}, 0, 9, end_tokens, read}, scores);
  CHECK(scores == std::vector<double>{8, -2, 4, -4});
  rules = {};
  rules.no_repeat_source_ngram = 2;
  scores.assign(4, 1.0);
  apply(rules, {{3, 0}, 0, 9, end_tokens, read}, scores);
  CHECK(scores == std::vector<double>{1, minus_infinity, 1, 1});
  rules = {};
  rules.biases = {{{1}, 0.5}, {{3, 0, 2}, -2}, {{2, 0, 3}, 7}};
  scores.assign(4, 1.0);
  apply(rules, {{3, 0}, 0, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>{1, 1.5, -1, 1});
  rules = {};
  rules.length_decay = LengthDecay{2, 3};
  scores.assign(4, -2.0);
  apply(rules, {{3}, 2, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>(4, -2.0));
  apply(rules, {{3}, 4, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>{-2, -2, -2 + 2 * (9 - 1), -2});
  rules = {};
  rules.renormalize = true;
  scores.assign(4, 7.0);
  apply(rules, {{3}, 0, 9, end_tokens, source}, scores);
  CHECK(scores[0] == doctest::Approx(-std::log(4.0)));
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
  const std::vector<double> scores{std::log(0.5), std::log(0.2), std::log(0.3), minus_infinity};
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

TEST_CASE("log softmax: probabilities sum to one, large scores do no harm") {
  std::vector<double> scores{1000, 1001, 999};
  log_softmax(scores);
  double sum = 0;
  for (const double score : scores) sum += std::exp(score);
  CHECK(std::abs(sum - 1) < 1e-12 * 3);
  CHECK(scores[1] - scores[0] == doctest::Approx(1).epsilon(1e-12));
}
