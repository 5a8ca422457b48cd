// attn/text/pipeline/pattern.hpp
#include <attn/core/error.hpp>
#include <attn/text/pipeline/pattern.hpp>

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

TEST_CASE("the syntax is Oniguruma's") {
  CHECK(matches(Pattern::regex("[a-z&&[^x]]+"), "abxy") == Spans{{0, 2}, {3, 4}});
  CHECK(matches(Pattern::regex("\\d{1,3}+"), "12345") == Spans{{0, 5}});  // repeated, not possessive
  CHECK(matches(Pattern::regex("\\h+"), "xaf09g") == Spans{{1, 5}});
  CHECK(matches(Pattern::regex("(?m:a.)"), "a\n") == Spans{{0, 2}});
}

TEST_CASE("an expression that is none is refused, and so is one that takes too long") {
  CHECK_THROWS_WITH_AS(Pattern::regex("a("), doctest::Contains("expression a(: end pattern"), Error);
  CHECK_THROWS_WITH_AS(Pattern::regex("\\p{Klingon}"), doctest::Contains("Klingon"), Error);
  const Pattern explosive = Pattern::regex("(?:a|a)*b");
  CHECK_THROWS_WITH_AS(matches(explosive, std::string(60, 'a') + "cb"),
                       "text: takes too long to search for the regular expression (?:a|a)*b; break the text into "
                       "shorter lines, or change the expression",
                       Error);
  const Pattern longer = Pattern::regex("(?:a|a)*b|" + std::string(49, 'x') + "é", "tokenizer.json");
  CHECK_THROWS_WITH_AS(matches(longer, std::string(60, 'a') + "cb"),
                       doctest::Contains((std::string(49, 'x') + "... of tokenizer.json;").c_str()), Error);
}

TEST_CASE("a pattern that goes back ever again is refused soon, and one that goes back through a long text is not") {
  // Some four million ways through each of ten thousand beginnings.
  std::string words;
  for (int i = 0; i < 100; ++i) words += std::string(100, 'a') + ' ';
  CHECK_THROWS_AS(matches(Pattern::regex("a*a*a*a*b"), words + "cb"), Error);
  // Within the limits for one of them; all pieces of a text share one budget.
  Pattern::Budget budget(6000);
  const Pattern hard = Pattern::regex("a*a*a*b");
  const auto cut = [&] { hard.each(std::string(60, 'a') + "cb", budget, [](Span) {}); };
  CHECK_NOTHROW(cut());
  CHECK_THROWS_AS(for (int i = 0; i < 100; ++i) cut(), Error);
  const std::string blanks(300'000, ' ');
  const Pattern white = Pattern::regex("\\s*\\n+|\\s+(?!\\S)|\\s+");
  CHECK(matches(white, blanks + "x").size() == 2);
  // As often as it is there: each run is all but its last blank, and this.
  for (const std::size_t length : {257, 2049, 4097}) {
    std::string runs;
    for (int i = 0; i < 500; ++i) runs += std::string(length, ' ') + 'x';
    CHECK(matches(white, runs).size() == 1000);
  }
}
