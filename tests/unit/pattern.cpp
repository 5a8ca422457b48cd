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
  CHECK(matches(Pattern::regex("b*"), "abé") == Spans{{0, 0}, {1, 2}, {2, 2}, {4, 4}});
}

TEST_CASE("classes are Unicode's, and a dot is not a line end") {
  CHECK(matches(Pattern::regex("\\s"), "a\u3000b") == Spans{{1, 4}});
  CHECK(matches(Pattern::regex("."), "é\nx") == Spans{{0, 2}, {3, 4}});
  CHECK(matches(Pattern::regex("\\p{Han}+"), "a京都") == Spans{{1, 7}});
}

TEST_CASE("an expression that would mean something else is refused with the place") {
  CHECK_THROWS_WITH_AS(Pattern::regex("a("), doctest::Contains("character 3"), Error);
  CHECK_THROWS_WITH_AS(Pattern::regex("[a[bc]]"), doctest::Contains("character 3"), Error);
  CHECK_THROWS_WITH_AS(Pattern::regex("[a-z&&[^x]]"), doctest::Contains("intersections"), Error);
  CHECK_THROWS_WITH_AS(Pattern::regex("\\h+"), doctest::Contains("hexadecimal"), Error);
  CHECK_NOTHROW(Pattern::regex("[[:alpha:]\\[\\]]"));
}
