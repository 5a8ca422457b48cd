// attn/text/tokenizer.hpp: whole tokenizers, made from documents that are written out here.
#include <attn/core/error.hpp>
#include <attn/text/tokenizer.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace attn;
using namespace attn::text;
using Ids = std::vector<TokenId>;

namespace {

// Characters of a lower-cased text, with a start and an end token.
const std::string characters = R"({
  "added_tokens": [{"id": 0, "content": "<s>", "special": true}, {"id": 1, "content": "</s>", "special": true}],
  "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]},
  "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": false},
  "post_processor": {"type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
               {"SpecialToken": {"id": "</s>", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}},
             {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}, "</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]}}},
  "decoder": {"type": "Fuse"},
  "model": {"type": "WordLevel", "vocab": {"<s>": 0, "</s>": 1, "<unk>": 2, "a": 3, "b": 4, "é": 5, " ": 6}, "unk_token": "<unk>"}
})";

std::string message_of(const std::string& json) {
  try {
    tokenizer_from_json(json);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("text becomes ids with special tokens around them, and ids become text") {
  const auto tokenizer = tokenizer_from_json(characters);
  const auto encoding = tokenizer.encode("AbÉ ?");
  CHECK(encoding.ids == Ids{0, 3, 4, 5, 6, 2, 1});
  CHECK(encoding.origins.front() == Origin::added);
  CHECK(encoding.origins[1] == Origin::first);
  CHECK(encoding.offsets.empty());
  CHECK(tokenizer.decode({0, 3, 5, 1}) == "aé");
  CHECK(tokenizer.decode({0, 3, 5, 1}, false) == "<s>aé</s>");
  CHECK(tokenizer.vocabulary_size() == 7);
}

TEST_CASE("a composed character is one token") {
  const auto tokenizer = tokenizer_from_json(characters);
  CHECK(tokenizer.encode("be\u0301a").ids == Ids{0, 4, 5, 3, 1});
}

TEST_CASE("offsets are bytes of the original text") {
  const auto tokenizer = tokenizer_from_json(characters);
  EncodeOptions options;
  options.offsets = true;
  const std::string text = "aÉb";
  const auto encoding = tokenizer.encode(text, options);
  CHECK(encoding.offsets == std::vector<Span>{{0, 0}, {0, 1}, {1, 3}, {3, 4}, {0, 0}});
  CHECK(in_code_points(encoding, text) == std::vector<Span>{{0, 0}, {0, 1}, {1, 2}, {2, 3}, {0, 0}});
}

TEST_CASE("pairs follow their own template") {
  const auto encoding = tokenizer_from_json(characters).encode("a", "b");
  CHECK(encoding.ids == Ids{3, 1, 4});
  CHECK(encoding.type_ids == Ids{0, 0, 1});
  CHECK(encoding.origins == std::vector<Origin>{Origin::first, Origin::added, Origin::second});
}

TEST_CASE("special tokens in the text are found, and can be left out around it") {
  const auto tokenizer = tokenizer_from_json(characters);
  EncodeOptions options;
  options.special_tokens = false;
  CHECK(tokenizer.encode("a</s>b", options).ids == Ids{3, 1, 4});
}

TEST_CASE("the white space that an added token takes may begin the next one") {
  // Ids as tokenizers 0.23.3 gives them.
  const auto tokenizer = [](const std::string& first, const std::string& second) {
    return tokenizer_from_json(R"({
      "added_tokens": [{"id": 3, "content": "<a>", )" +
                               first + R"("normalized": false},
                       {"id": 4, )" +
                               second + R"(, "normalized": false}],
      "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": false},
      "model": {"type": "WordLevel", "vocab": {"?": 0, "v": 1}, "unk_token": "?"}})");
  };
  const std::string right = "\"rstrip\": true, ";
  CHECK(tokenizer(right, "\"content\": \" w\"").encode("<a> wv").ids == Ids{3, 4, 1});
  CHECK(tokenizer(right, "\"content\": \" w\"").encode("<a>  w").ids == Ids{3, 4});
  CHECK(tokenizer("", "\"content\": \" w\", \"lstrip\": true").encode("<a>   w").ids == Ids{3, 4});
  CHECK(tokenizer(right, "\"content\": \"w\", \"lstrip\": true").encode("<a>  wv").ids == Ids{3, 4, 1});
  // The end of a token is where the text goes on, also before white space that is taken already.
  CHECK(tokenizer(right, "\"content\": \" \"").encode("<a>  v").ids == Ids{3, 4, 4, 1});
}

TEST_CASE("white space that an added token took is no token again") {
  // Ids as tokenizers 0.23.3 gives them.
  const auto tokenizer = tokenizer_from_json(R"({
    "added_tokens": [{"id": 1, "content": " ", "lstrip": true, "rstrip": true, "normalized": false}],
    "model": {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"}})");
  CHECK(tokenizer.encode("   ").ids == Ids{1});
  CHECK(tokenizer.encode("a   b ").ids == Ids{0, 1, 0, 1});
}

TEST_CASE("offsets are trimmed in what is left after truncation") {
  // As tokenizers 0.23.3 has them: a single space in front of the first token that is left counts as the tokenizer's.
  const auto tokenizer = tokenizer_from_json(R"({
    "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": false},
    "post_processor": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true},
    "model": {"type": "WordLevel", "vocab": {"?": 0, " ": 1}, "unk_token": "?"}})");
  EncodeOptions options;
  options.offsets = true;
  options.truncation.max_length = 2;
  options.truncation.side = Side::left;
  CHECK(tokenizer.encode("a b", options).offsets == std::vector<Span>{{1, 1}, {2, 3}});
  CHECK(tokenizer.encode("a  ", options).offsets == std::vector<Span>{{1, 1}, {3, 3}});
}

TEST_CASE("post-processors of a sequence work on what the one before made") {
  // Ids, types and masks as tokenizers 0.23.3 gives them.
  const std::string bert = R"({"type": "BertProcessing", "cls": ["<c>", 3], "sep": ["<s>", 4]})",
                    roberta = R"({"type": "RobertaProcessing", "cls": ["<c>", 5], "sep": ["<s>", 6]})",
                    c = R"({"SpecialToken": {"id": "<c>", "type_id": 1}})",
                    a = R"({"Sequence": {"id": "A", "type_id": 2}})", b = R"({"Sequence": {"id": "B", "type_id": 1}})";
  const auto around = [](const std::string& single, const std::string& pair) {
    return R"({"type": "TemplateProcessing", "single": [)" + single + R"(], "pair": [)" + pair + R"(],
      "special_tokens": {"<c>": {"id": "<c>", "ids": [7, 8], "tokens": ["<c>", "<c>"]}}})";
  };
  const auto tokenizer = [](const std::string& first, const std::string& second) {
    return tokenizer_from_json(
        R"({"post_processor": {"type": "Sequence", "processors": [)" + first + "," + second +
        R"(]}, "model": {"type": "WordLevel", "vocab": {"?": 0, "a": 1, "b": 2}, "unk_token": "?"}})");
  };
  const auto one = tokenizer(bert, roberta).encode("a");
  CHECK(one.ids == Ids{5, 3, 1, 4, 6});
  CHECK(one.origins == std::vector<Origin>{Origin::added, Origin::first, Origin::first, Origin::first, Origin::added});
  const auto two = tokenizer(roberta, bert).encode("a", "b");
  CHECK(two.ids == Ids{3, 5, 1, 6, 4, 6, 2, 6, 4});
  CHECK(two.type_ids == Ids{0, 0, 0, 0, 0, 0, 0, 0, 1});
  const std::string swapped = around(c + "," + a, b + "," + a);
  const auto filled = tokenizer(bert, swapped).encode("a");
  CHECK(filled.ids == Ids{7, 8, 3, 1, 4});
  CHECK(filled.type_ids == Ids{1, 1, 2, 2, 2});
  CHECK(tokenizer(swapped, bert).encode("a").ids == Ids{3, 7, 8, 4, 1, 4});
  CHECK(tokenizer(swapped, bert).encode("a", "b").ids == Ids{3, 2, 4, 1, 4});
  // A template takes one part or two.
  const auto for_one = tokenizer(around(a, a + "," + c + "," + b), swapped);
  CHECK(for_one.encode("a").ids == Ids{7, 8, 1});
  CHECK_THROWS_WITH_AS(for_one.encode("a", "b"), doctest::Contains("no way to join"), Error);
  CHECK_THROWS_WITH_AS(tokenizer(around(a, ""), swapped).encode("a", "b"), doctest::Contains("no way to join"), Error);
  CHECK_THROWS_WITH_AS(tokenizer(around("", a), swapped), doctest::Contains("processors[0]: does not arrange"), Error);
  CHECK_THROWS_WITH_AS(tokenizer(around(c + "," + a + "," + c, a), swapped),
                       doctest::Contains("processors[1]: does not arrange a single text"), Error);
}

TEST_CASE("a special token that normalising changes is not left out") {
  const auto tokenizer = tokenizer_from_json(R"({
    "added_tokens": [{"id": 1, "content": "X", "special": true, "normalized": true},
                     {"id": 2, "content": "y", "special": true, "normalized": true},
                     {"id": 3, "content": "Z", "special": true, "normalized": false}],
    "normalizer": {"type": "Lowercase"}, "decoder": {"type": "Fuse"},
    "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}})");
  CHECK(tokenizer.decode({1, 2, 3}) == "x");
  CHECK(tokenizer.decode({1, 2, 3}, false) == "xyZ");
  // In an encoding it has the text's letters, which the normaliser left, and its own where a model or post-processor
  // put it, as in tokenizers 0.23.3.
  CHECK(tokenizer.tokens(tokenizer.encode("XYZ")) == std::vector<std::string>{"x", "y", "Z"});
  Encoding added;
  added.ids = {1, 2, 3};
  CHECK(tokenizer.tokens(added) == std::vector<std::string>{"X", "y", "Z"});
}

TEST_CASE("truncation keeps to the maximum length, special tokens included") {
  const auto tokenizer = tokenizer_from_json(characters);
  EncodeOptions options;
  options.truncation.max_length = 4;
  const auto right = tokenizer.encode("abé", options);
  CHECK(right.ids == Ids{0, 3, 4, 1});
  CHECK(right.truncated);
  options.truncation.side = Side::left;
  CHECK(tokenizer.encode("abé", options).ids == Ids{0, 4, 5, 1});
  CHECK(tokenizer.encode("aaabb", "b", options).ids == Ids{4, 4, 1, 4});
  options.truncation.strategy = Truncation::only_second;
  CHECK_THROWS_WITH_AS(tokenizer.encode("aaabb", "b", options), doctest::Contains("second text"), Error);
  options.truncation.max_length = 1;
  CHECK_THROWS_WITH_AS(tokenizer.encode("a", options), doctest::Contains("leaves no room"), Error);
}

TEST_CASE("windows have all of a text, and share tokens") {
  const auto tokenizer = tokenizer_from_json(characters);
  EncodeOptions options;
  options.truncation.max_length = 5;
  options.offsets = true;
  const auto windows = tokenizer.windows("abéab", std::nullopt, 1, options);
  REQUIRE(windows.size() == 2);
  CHECK(windows[0].ids == tokenizer.encode("abéab", options).ids);
  CHECK(windows[1].ids == tokenizer.encode("éab").ids);
  CHECK(windows[1].offsets[1] == Span{2, 4});
  CHECK(!windows[0].truncated);
  CHECK(tokenizer.windows("ab", std::nullopt, 1, options).size() == 1);
  CHECK_THROWS_WITH_AS(tokenizer.windows("aabb", std::nullopt, 3, options), doctest::Contains("share 3"), Error);
}

TEST_CASE("tokens go on within words") {
  const auto words = [](const std::string& model) {
    return tokenizer_from_json(R"({"pre_tokenizer": {"type": "Whitespace"}, "model": )" + model + "}");
  };
  EncodeOptions options;
  options.offsets = true;
  const auto pieces = words(R"({"type": "WordPiece", "unk_token": "?", "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 9, "vocab": {"?": 0, "a": 1, "##b": 2, ".": 3}})");
  CHECK(pieces.continuations(pieces.encode("ab.ab x", options), "ab.ab x") ==
        std::vector<bool>{false, true, false, false, true, false});
  const auto level = words(R"({"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "ab": 1, ".": 2}})");
  CHECK(level.continuations(level.encode("ab.ab .x", options), "ab.ab .x") ==
        std::vector<bool>{false, true, true, false, false});
}

TEST_CASE("scores are rounded as in the tokenizers package") {
  // With the nearest doubles the one of an odd number of letters would be the last; tokenizers 0.23.3 has it first.
  const auto tokenizer = tokenizer_from_json(R"({"model": {"type": "Unigram", "unk_id": 0,
    "vocab": [["?", 0.0], ["a", -5.7957194582861026], ["aa", -69237677.875045259e-7]]}})");
  CHECK(tokenizer.encode("aaaaaaa").ids == Ids{1, 2, 2, 2});
}

TEST_CASE("text that is not UTF-8 is refused with the place") {
  const auto tokenizer = tokenizer_from_json(characters);
  CHECK_THROWS_WITH_AS(tokenizer.encode("ab\xff"), doctest::Contains("byte 3"), Error);
  CHECK_THROWS_AS(tokenizer.encode("\xed\xa0\x80"), Error);  // a surrogate
  CHECK_THROWS_AS(tokenizer.encode("\xc0\x80"), Error);      // overlong
}

TEST_CASE("ids outside the vocabulary are refused") {
  CHECK_THROWS_WITH_AS(tokenizer_from_json(characters).decode({3, 7}), doctest::Contains("id 7"), Error);
  CHECK_THROWS_AS(tokenizer_from_json(characters).decode({-1}), Error);
}

TEST_CASE("damaged documents are refused with the place") {
  CHECK(message_of("").find("is empty") != std::string::npos);
  CHECK(message_of("{\"model\": ").find("ends too early") != std::string::npos);
  CHECK(message_of("{\n\"model\": x}").find("line 2, column 10") != std::string::npos);
  CHECK(message_of("[]").find("expected an object") != std::string::npos);
  CHECK(message_of("{}") == "tokenizer.json: model is missing");
  CHECK(message_of(std::string(100000, '[')).find("nested deeper") != std::string::npos);
  std::string unknown = characters;
  unknown.replace(unknown.find("NFC"), 3, "NFX");
  CHECK(message_of(unknown) == "tokenizer.json: normalizer.normalizers[0]: the normalizer \"NFX\" is not known");
  std::string twice = characters;
  twice.replace(twice.find("\"b\": 4"), 6, "\"b\": 3");
  CHECK(message_of(twice).find("model.vocab: token \"b\": has the id 3 of \"a\"") != std::string::npos);
}
