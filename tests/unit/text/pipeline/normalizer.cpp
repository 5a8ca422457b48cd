// attn/text/pipeline/normalizer.hpp: what each normaliser makes of a text, and where its bytes came from.
#include <attn/core/error.hpp>
#include <attn/text/pipeline/normalizer.hpp>

#include <doctest/doctest.h>

using namespace attn;
using namespace attn::text;

namespace {

std::string normalized(const NormalizerPtr& normalizer, const std::string& text) {
  AlignedText tracked(text, 0, true), plain(text, 0, false);
  normalizer->apply(tracked);
  normalizer->apply(plain);
  CHECK(tracked.text() == plain.text());
  return tracked.text();
}

Span origin(const NormalizerPtr& normalizer, const std::string& text, std::size_t begin, std::size_t end) {
  AlignedText tracked(text, 0, true);
  normalizer->apply(tracked);
  return tracked.origin(begin, end);
}

}  // namespace

TEST_CASE("BERT's normaliser cleans, spaces ideographs out, strips accents and lower-cases") {
  const auto all = bert_normalizer({});
  CHECK(normalized(all, "Ünï\tcöde\x01 京x") == "uni code  京 x");
  BertNormalization cased;
  cased.lowercase = cased.strip_accents = false;
  CHECK(normalized(bert_normalizer(cased), "Ünï\u200B") == "Ünï");
  CHECK(origin(all, "aÜb", 1, 2) == Span{1, 3});
}

TEST_CASE("case, accents, white space") {
  CHECK(normalized(lowercase_normalizer(), "ÀB\u0130") == "àbi\u0307");
  CHECK(normalized(strip_accents_normalizer(), "e\u0301x") == "ex");
  CHECK(normalized(strip_normalizer(true, true), " \u3000a b \n") == "a b");
  CHECK(normalized(strip_normalizer(true, false), " a ") == "a ");
  CHECK(normalized(nmt_normalizer(), "a\u200Bb\x01\tc") == "a b c");
}

TEST_CASE("offsets survive a sequence of normalisers") {
  std::vector<NormalizerPtr> steps;
  steps.push_back(form_normalizer(Form::nfd));
  steps.push_back(strip_accents_normalizer());
  steps.push_back(prepend_normalizer("▁"));
  const auto sequence = normalizer_sequence(std::move(steps));
  CHECK(normalized(sequence, "éa") == "▁ea");
  CHECK(origin(sequence, "éa", 3, 4) == Span{0, 2});
  CHECK(origin(sequence, "éa", 4, 5) == Span{2, 3});
}

TEST_CASE("marks that change places come from what is left over, compositions from their first part") {
  const auto nfd = form_normalizer(Form::nfd), nfc = form_normalizer(Form::nfc);
  CHECK(normalized(nfd, "á\u0323") == "a\u0323\u0301");
  CHECK(origin(nfd, "á\u0323", 1, 3) == Span{2, 4});
  CHECK(origin(nfd, "á\u0323", 3, 5) == Span{2, 4});
  CHECK(normalized(nfc, "a\u0301\u0323") == "\u1EA1\u0301");
  CHECK(origin(nfc, "a\u0301\u0323", 0, 3) == Span{0, 1});
  CHECK(origin(nfc, "a\u0301\u0323", 3, 5) == Span{3, 5});
  CHECK(normalized(nfc, "e\u0F73\u0308") == "\u00EB\u0F71\u0F72");  // which is two marks
}

TEST_CASE("replacing a string or what matches an expression") {
  CHECK(normalized(replace_normalizer(Pattern::literal(" "), "▁"), "a b  c") == "a▁b▁▁c");
  CHECK(normalized(replace_normalizer(Pattern::regex(" {2,}"), " "), "a   b c") == "a b c");
  CHECK(normalized(replace_normalizer(Pattern::literal("x"), "y"), "abc") == "abc");
  CHECK(normalized(replace_normalizer(Pattern::literal("a"), ""), "aba") == "b");
}

TEST_CASE("rules that double a text again and again are stopped") {
  std::vector<NormalizerPtr> steps;
  for (int i = 0; i < 60; ++i) steps.push_back(replace_normalizer(Pattern::literal("a"), "aa"));
  AlignedText text("aaaa", 0, false);
  CHECK_THROWS_WITH_AS(normalizer_sequence(std::move(steps))->apply(text), doctest::Contains("grows"), Error);
}

TEST_CASE("every byte has a spelling and every spelling its byte") {
  for (int byte = 0; byte < 256; ++byte)
    CHECK(byte_of_spelling(spelling_of_byte(static_cast<unsigned char>(byte))) == byte);
  CHECK(spelling_of_byte(' ') == U'Ġ');
  CHECK(byte_of_spelling(U'€') == -1);
}

TEST_CASE("damaged tables of rules are refused") {
  CHECK_THROWS_AS(precompiled_normalizer("ab"), Error);
  CHECK_THROWS_WITH_AS(precompiled_normalizer(std::string("\xff\0\0\0", 4)), doctest::Contains("255 bytes"), Error);
  // An index that leads nowhere changes nothing.
  const auto empty = precompiled_normalizer(std::string("\0\0\0\0", 4));
  CHECK(normalized(empty, "abc é") == "abc é");
}
