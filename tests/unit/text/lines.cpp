// attn/text/lines.hpp, attn/text/batch.hpp
#include <attn/text/batch.hpp>
#include <attn/text/lines.hpp>

#include <doctest/doctest.h>

using namespace attn;
using namespace attn::text;
using Ids = std::vector<TokenId>;

namespace {

Tokenizer letters() {
  return tokenizer_from_json(
      R"({"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "é": 2, "?": 3}, "unk_token": "?"},
    "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated"}})");
}

}  // namespace

TEST_CASE("what a line may be") {
  CHECK(parse_text("a\tb", LineFormat::text).first == "a\tb");
  CHECK(parse_text("a\tb\tc", LineFormat::pair).second == "b\tc");
  CHECK_THROWS_WITH_AS(parse_text("a", LineFormat::pair), doctest::Contains("a tab between"), Error);
  CHECK(parse_text("\"a\\nb\"", LineFormat::json).first == "a\nb");
  CHECK(parse_text("{\"text\": \"a\", \"pair\": \"b\"}", LineFormat::json).second == "b");
  CHECK_THROWS_AS(parse_text("[1, 2]", LineFormat::json), Error);
  CHECK_THROWS_AS(parse_text("a", LineFormat::json), Error);
  CHECK_THROWS_WITH_AS(parse_text("[\"a\", \"b\", \"c\"]", LineFormat::json), doctest::Contains("3 texts"), Error);
  CHECK(texts_from_json("[\"a\", \"b\", \"c\"]").size() == 3);
  CHECK(texts_from_json(R"({"question": "a", "context": "b"})") ==
        texts_from_json(R"({"text": "a", "text_pair": "b"})"));
  CHECK(unread_fields(R"( {"text": "a", "label": 1, "id": null})") == std::vector<std::string>{"label"});
  CHECK(unread_fields(R"({"question": "a", "context": "c", "text": "b"})") == std::vector<std::string>{"text"});
  for (const char* line : {"", " ", "\"{\"", "{", "[\"a\", \"b\"]"}) CHECK(unread_fields(line).empty());
  CHECK_THROWS_WITH_AS(text_from_json("[\"a\", \"b\"]"), doctest::Contains("2 texts"), Error);
  CHECK(parse_ids(" 1, 2\t-3", LineFormat::text) == Ids{1, 2, -3});
  CHECK_THROWS_WITH_AS(parse_ids("1 2x", LineFormat::text), doctest::Contains("2x"), Error);
  CHECK(parse_ids("{\"ids\": [4]}", LineFormat::json) == Ids{4});
}

TEST_CASE("every line has its result, in order, whatever the threads") {
  const Tokenizer tokenizer = letters();
  std::vector<std::string> lines(100, "ab");
  lines[37] = "\xff";
  LineOptions options;
  options.encode.offsets = true;
  ThreadPool pool(3);
  Execution execution;
  execution.pool = &pool;
  const auto results = process_lines(lines, tokenizer, options, execution);
  REQUIRE(results.size() == 100);
  CHECK(results[36].shown == "0:0-1 1:1-2");
  CHECK(results[37].error);
  CHECK(!results[99].error);
  options.view = View::tokens;
  options.encode.offsets = false;
  CHECK(process_lines({"aé"}, tokenizer, options)[0].shown == "a\té");
  options.decode = true;
  CHECK(process_lines({"0 2"}, tokenizer, options)[0].shown == "a é");
}

TEST_CASE("batches are filled up on either side to a multiple") {
  const Tokenizer tokenizer = letters();
  const std::vector<Encoding> encodings{tokenizer.encode("ab"), tokenizer.encode("b")};
  PaddingOptions options;
  options.id = 9;
  options.side = Side::left;
  options.multiple = 3;
  EncodingBatch batch(options);
  batch.add(encodings);
  batch.add({tokenizer.encode("")});
  CHECK(to_integers(collect(batch.ids())) == Ids{9, 0, 1, 9, 9, 1, 9, 9, 9});
  CHECK(to_integers(collect(batch.mask())) == Ids{0, 1, 1, 0, 0, 1, 0, 0, 0});
  CHECK(to_integers(collect(batch.type_ids())) == Ids{0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(collect(batch.offsets()).shape == Shape{3, 3, 2});
  EncodingBatch longer({}, 7);
  longer.add(encodings);
  CHECK(longer.ids().shape == Shape{2, 7});
  CHECK(EncodingBatch({}).ids().shape == Shape{0, 0});
}
