// attn/text/unicode.hpp and attn/core/characters.hpp
#include <attn/core/characters.hpp>
#include <attn/text/unicode.hpp>

#include <doctest/doctest.h>

using attn::find_invalid_utf8;
using namespace attn::text;

namespace {

std::u32string form(const std::u32string& text, Form which) {
  std::u32string out;
  std::vector<std::size_t> sources;
  normalize(text, which, out, sources);
  CHECK(sources.size() == out.size());
  return out;
}

}  // namespace

TEST_CASE("UTF-8 is written and read back at the borders of its lengths") {
  for (const char32_t c : {0x00u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xD7FFu, 0xE000u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    const std::string text = to_utf8(c);
    CHECK(!find_invalid_utf8(text));
    CHECK(code_point_at(text, 0).value == c);
    CHECK(code_point_at(text, 0).length == text.size());
  }
}

TEST_CASE("what is not UTF-8 is found where it begins") {
  CHECK(find_invalid_utf8("abcdefgh\x80") == 8);
  CHECK(find_invalid_utf8("\xC1\xBF") == 0);              // overlong
  CHECK(find_invalid_utf8("\xE0\x9F\xBF") == 0);          // overlong
  CHECK(find_invalid_utf8("a\xED\xA0\x80") == 1);         // a surrogate
  CHECK(find_invalid_utf8("\xF4\x90\x80\x80") == 0);      // beyond U+10FFFF
  CHECK(find_invalid_utf8("abcdefghijk\xE6\x9D") == 11);  // cut off
}

TEST_CASE("maximal parts of invalid sequences become one replacement each") {
  // The example of the Unicode standard, table 3-8.
  CHECK(replace_invalid_utf8("a\xF1\x80\x80\xE1\x80\xC2"
                             "b\x80"
                             "c\x80\xBF"
                             "d") == "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");
}

TEST_CASE("normalisation forms") {
  CHECK(form(U"e\u0301", Form::nfc) == U"é");
  CHECK(form(U"é", Form::nfd) == U"e\u0301");
  CHECK(form(U"ﬁ", Form::nfkc) == U"fi");
  CHECK(form(U"ﬁ", Form::nfc) == U"ﬁ");
  CHECK(form(U"\u1100\u1161\u11A8", Form::nfc) == U"각");
  CHECK(form(U"각", Form::nfd) == U"\u1100\u1161\u11A8");
  CHECK(form(U"a\u0315\u0300", Form::nfd) == U"a\u0300\u0315");  // canonical order
  CHECK(form(U"\u0958", Form::nfc) == U"\u0915\u093C");          // excluded from composition
}

TEST_CASE("a long run of marks is put in order at once, and equal ones stay as they were") {
  constexpr std::size_t count = 100'000;  // in steps of their square it would take minutes
  std::u32string mixed = U"a", ordered = U"a";
  for (std::size_t i = 0; i < count; ++i) mixed += U"\u0300\u0301\u0316";
  ordered.append(count, 0x316);
  for (std::size_t i = 0; i < count; ++i) ordered += U"\u0300\u0301";
  CHECK((form(mixed, Form::nfd) == ordered));
  CHECK((form(mixed, Form::nfc) == U"à" + ordered.substr(1, count) + ordered.substr(count + 2)));
}

TEST_CASE("text may be cut in front of what joins nothing") {
  CHECK(!joins_previous(U'a', Form::nfc));
  CHECK(joins_previous(0x301, Form::nfc));
  CHECK(joins_previous(0x1161, Form::nfc));
  CHECK(!joins_previous(0xFF9E, Form::nfc));  // stands for a mark in the compatibility forms alone
  CHECK(joins_previous(0xFF9E, Form::nfkc));
}

TEST_CASE("classes of code points") {
  CHECK(is_whitespace(0x3000));
  CHECK(!is_whitespace(0x200B));
  CHECK(is_control(0x200B));
  CHECK(is_punctuation(U'«'));
  CHECK(!is_punctuation(U'$'));
  // As the tokenizers package has it (version 0.23), whose tables are those of Unicode 8.
  CHECK(is_punctuation(U'\u061F'));
  CHECK(!is_punctuation(U'\u061D'));
  CHECK(!is_punctuation(U'\u09FD'));
  CHECK(is_punctuation(U'\u166D'));
  CHECK(is_nonspacing_mark(U'\u0301'));
  CHECK(!is_nonspacing_mark(U'\u0898'));
  CHECK(!is_nonspacing_mark(U'\u0AFA'));
  CHECK(!is_nonspacing_mark(U'\u180F'));
  CHECK(is_nonspacing_mark(U'\u1734'));
  CHECK(is_ascii_punctuation(U'$'));
  CHECK(is_word(U'é'));
  CHECK(is_word(U'_'));
  CHECK(!is_word(U'-'));
  CHECK(is_cjk_ideograph(U'京'));
  CHECK(!is_cjk_ideograph(U'カ'));
}
