#include <attn/transformer/decoding/next_token.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attn;

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
const std::vector<std::int64_t> end_tokens{2};
const std::vector<std::int64_t> source;

}  // namespace

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
  rules.forced_last = {2};
  scores.assign(4, 1.0);
  apply(rules, {{1}, 8, 9, end_tokens, source}, scores);
  CHECK(best_token(scores) == 2);
}

TEST_CASE("rules: forbidden words but for end tokens, and what is not first, as transformers has it") {
  NextTokenRules rules;
  rules.bad_words = {{2}, {0}, {1, 2}, {3, 1}};
  std::vector<double> scores(4, 0.0);
  apply(rules, {{3}, 0, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>{minus_infinity, minus_infinity, 0, 0});
  scores.assign(4, 0.0);
  apply(rules, {{3, 1}, 1, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>{minus_infinity, 0, minus_infinity, 0});
  rules = {};
  rules.suppressed_first = {1};
  scores.assign(4, 0.0);
  apply(rules, {{3}, 0, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>{0, minus_infinity, 0, 0});
  rules.forced_first = 1;  // behind a start token alone; then the next one is the first that may be chosen
  scores.assign(4, 0.0);
  apply(rules, {{3}, 0, 9, end_tokens, source}, scores);
  CHECK(best_token(scores) == 1);
  scores.assign(4, 0.0);
  apply(rules, {{3, 1}, 1, 9, end_tokens, source}, scores);
  CHECK(scores == std::vector<double>{0, minus_infinity, 0, 0});
  scores.assign(4, 0.0);
  apply(rules, {{3, 0}, 0, 9, end_tokens, source}, scores);  // a prompt
  CHECK(scores == std::vector<double>{0, minus_infinity, 0, 0});
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
}
