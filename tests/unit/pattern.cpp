// attn/text/pattern.hpp
#include <attn/core/error.hpp>
#include <attn/text/pattern.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace attn;
using namespace attn::text;

namespace {

std::vector<Span> matches(const Pattern& pattern, std::string_view text) {
  std::vector<Span> found;
  pattern.each(text, [&](Span match) { found.push_back(match); });
  return found;
}

using Spans = std::vector<Span>;

}  // namespace

TEST_CASE("matches from left to right, also empty ones") {
  CHECK(matches(Pattern::literal("aa"), "aaaaa") == Spans{{0, 2}, {2, 4}});
  CHECK(matches(Pattern::regex("b*"), "abé") == Spans{{0, 0}, {1, 2}, {4, 4}});  // none at the end of another
}

TEST_CASE("classes are Unicode's, and a dot is not a line end") {
  CHECK(matches(Pattern::regex("\\s"), "a\u3000b") == Spans{{1, 4}});
  CHECK(matches(Pattern::regex("."), "é\nx") == Spans{{0, 2}, {3, 4}});
  CHECK(matches(Pattern::regex("\\p{Han}+"), "a京都") == Spans{{1, 7}});
}

TEST_CASE("words have their marks, and the superscripts of Latin-1 outside of brackets") {
  CHECK(matches(Pattern::regex("\\w+"), "a\u0308b, \u0939\u093F") == Spans{{0, 4}, {6, 12}});
  CHECK(matches(Pattern::regex("[\\w']+"), "\u0939\u093F's!") == Spans{{0, 8}});
  CHECK(matches(Pattern::regex("[^\\w ]+"), "e\u0301! \u2460") == Spans{{3, 4}, {5, 8}});
  CHECK(matches(Pattern::regex("\\W+"), "e\u0301!\u24B6") == Spans{{3, 4}});
  CHECK(matches(Pattern::regex("[\\W_]+"), "e\u0301_!a") == Spans{{3, 5}});
  CHECK(matches(Pattern::regex("[^\\W\\d_]+"), "e\u0301_1a!") == Spans{{0, 3}, {5, 6}});
  CHECK(matches(Pattern::regex("\\w"), "\u00B2") == Spans{{0, 2}});
  CHECK(matches(Pattern::regex("[\\w]"), "\u00B2").empty());
  CHECK(matches(Pattern::regex("a\\b"), "a\u0308 a") == Spans{{4, 5}});
  CHECK(matches(Pattern::regex("\\bb"), "a\u0308b b") == Spans{{5, 6}});
  CHECK(matches(Pattern::regex("\\s"), "\u180E\u2003") == Spans{{3, 6}});
}

TEST_CASE("brackets and properties are Oniguruma's") {
  CHECK(matches(Pattern::regex("[[:punct:]]+"), "$!+a") == Spans{{0, 3}});
  CHECK(matches(Pattern::regex("\\p{Punct}+"), "$!+a") == Spans{{1, 2}});
  CHECK(matches(Pattern::regex("[[:alpha:]]+"), "\u0939\u093F1") == Spans{{0, 6}});
  CHECK(matches(Pattern::regex("[^[:^alpha:]a]+"), "ab1") == Spans{{1, 2}});
  CHECK(matches(Pattern::regex("\\p{Han}+"), "京、都") == Spans{{0, 3}, {6, 9}});  // the comma is used by many scripts
  CHECK(matches(Pattern::regex("\\p{^Han}"), "京a") == Spans{{3, 4}});
  CHECK(matches(Pattern::regex("\\p{Lowercase_Letter}"), "Aa") == Spans{{1, 2}});
}

TEST_CASE("classes inside others and their intersections") {
  CHECK(matches(Pattern::regex("[a[bc]]+"), "abcd") == Spans{{0, 3}});
  CHECK(matches(Pattern::regex("[^a[bc]]+"), "abcd") == Spans{{3, 4}});
  CHECK(matches(Pattern::regex("[a-z&&[^x]]+"), "abxy") == Spans{{0, 2}, {3, 4}});
  CHECK(matches(Pattern::regex("[^a-c&&b-d]+"), "abcd") == Spans{{0, 1}, {3, 4}});
  CHECK(matches(Pattern::regex("[]a^]+"), "]a^b") == Spans{{0, 3}});
  CHECK_NOTHROW(Pattern::regex("[[:alpha:]\\[\\]]"));
}

TEST_CASE("grapheme clusters are Unicode's, of pictographs and flags too") {
  const Pattern cluster = Pattern::regex("\\X");
  CHECK(matches(cluster, "e\u0301a\r\n\uAC01\u1161") == Spans{{0, 3}, {3, 4}, {4, 6}, {6, 9}, {9, 12}});
  CHECK(matches(cluster, "👦👍") == Spans{{0, 4}, {4, 8}});
  CHECK(matches(cluster, "👩\u200D👧👍🏽") == Spans{{0, 11}, {11, 19}});
  CHECK(matches(cluster, "🇩🇪🇫\u0301🇷") == Spans{{0, 8}, {8, 14}, {14, 18}});
  CHECK(matches(cluster, "\u0600👍\u0903\u1038") == Spans{{0, 9}, {9, 12}});
}

TEST_CASE("what else the dialects write differently") {
  CHECK(matches(Pattern::regex("\\h+"), "xaf09g") == Spans{{1, 5}});
  CHECK(matches(Pattern::regex("\\u00E9\\v"), "é\v") == Spans{{0, 3}});
  CHECK(matches(Pattern::regex("(?m:a.)"), "a\n") == Spans{{0, 2}});
  CHECK(matches(Pattern::regex("\\d{1,3}+"), "12345") == Spans{{0, 5}});  // repeated, not possessive
  CHECK(matches(Pattern::regex("(?:ab|c){2}?d"), "d") == Spans{{0, 1}});
  CHECK(matches(Pattern::regex("a{,2}"), "aaa") == Spans{{0, 2}, {2, 3}});
  CHECK(matches(Pattern::regex("a(?i)b|c"), "aC c") == Spans{{0, 2}});
}

TEST_CASE("an expression that cannot be said is refused with the place") {
  CHECK_THROWS_WITH_AS(Pattern::regex("a("), doctest::Contains("character 3"), Error);
  CHECK_THROWS_WITH_AS(Pattern::regex("\\w+a("), doctest::Contains("character 6"), Error);
  CHECK_THROWS_WITH_AS(Pattern::regex("[a"), doctest::Contains("character 3"), Error);
  CHECK_THROWS_WITH_AS(Pattern::regex("a\\xC3"), doctest::Contains("character 2"), Error);
  CHECK_THROWS_WITH_AS(Pattern::regex("[[:word]:letters:]]"), doctest::Contains("character"), Error);
  CHECK_THROWS_WITH_AS(Pattern::regex(std::string(100, '[')), doctest::Contains("50 classes"), Error);
}
