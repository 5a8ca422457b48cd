// attn/text/models/model.hpp: WordPiece, byte-pair encoding, Unigram.
#include <attn/core/error.hpp>
#include <attn/text/models/model.hpp>

#include <doctest/doctest.h>

#include <random>

using namespace attn;
using namespace attn::text;

namespace {

Vocabulary vocabulary(const std::vector<std::string>& tokens) {
  Vocabulary out;
  for (std::size_t id = 0; id < tokens.size(); ++id) out.add(tokens[id], static_cast<TokenId>(id));
  return out;
}

MergeList merges(const std::vector<std::string>& lines) {
  MergeList out;
  for (const std::string& line : lines) CHECK(out.add_line(line));
  return out;
}

std::string tokens(const ModelPtr& model, const std::string& piece) {
  std::vector<Token> found;
  model->tokenize(piece, found);
  std::string shown;
  for (const Token& token : found)
    shown += (shown.empty() ? "" : " ") + std::string(*model->vocabulary().token(token.id));
  return shown;
}

}  // namespace

TEST_CASE("WordPiece takes the longest token each time, and a word with a rest is unknown") {
  const auto model = word_piece_model(vocabulary({"[UNK]", "un", "unw", "##want", "##ed", "##e", "##d"}), {});
  CHECK(tokens(model, "unwanted") == "[UNK]");  // unw, then nothing continues with "anted"
  CHECK(tokens(model, "unwed") == "unw ##ed");
  CHECK(tokens(model, "unwanz") == "[UNK]");
  CHECK(tokens(model, "unde") == "un ##d ##e");
  CHECK(tokens(model, std::string(101, 'u')) == "[UNK]");
  CHECK_THROWS_WITH_AS(word_piece_model(vocabulary({"a"}), {}), doctest::Contains("[UNK]"), Error);
}

TEST_CASE("byte pairs are joined by rank, the leftmost first") {
  const auto model =
      bpe_model(vocabulary({"a", "b", "c", "ab", "bc", "abc", "aa"}), merges({"b c", "a b", "ab c", "a a"}), {});
  CHECK(tokens(model, "abc") == "a bc");  // "b c" stands before "a b"
  CHECK(tokens(model, "abab") == "ab ab");
  CHECK(tokens(model, "aaa") == "aa a");
  CHECK(tokens(model, "abc") == "a bc");  // also when it is asked again
}

TEST_CASE("long words and short words are merged alike") {
  const std::vector<std::string> words{"a", "b", "ab", "ba", "aab", "abab", "bb"};
  const std::vector<std::string> rules{"a b", "b a", "a ab", "ab ab", "b b"};
  const auto model = bpe_model(vocabulary(words), merges(rules), {});
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::string word;
    for (int i = 0; i < 200; ++i) word += random() % 2 ? 'a' : 'b';
    // The definition: join the pair of the lowest rank, the leftmost of equals, until none is left.
    std::vector<std::string> parts;
    for (const char c : word) parts.emplace_back(1, c);
    for (;;) {
      std::size_t best = rules.size(), at = 0;
      for (std::size_t i = 0; i + 1 < parts.size(); ++i)
        for (std::size_t rank = 0; rank < best; ++rank)
          if (rules[rank] == parts[i] + " " + parts[i + 1]) best = rank, at = i;
      if (best == rules.size()) break;
      parts[at] += parts[at + 1];
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    std::string expected;
    for (const std::string& part : parts) expected += (expected.empty() ? "" : " ") + part;
    CHECK(tokens(model, word) == expected);
  }
}

TEST_CASE("characters that are not in the vocabulary") {
  BpeOptions options;
  CHECK(tokens(bpe_model(vocabulary({"a"}), {}, options), "axya") == "a a");
  options.unknown_token = "?";
  CHECK(tokens(bpe_model(vocabulary({"a", "?"}), {}, options), "axya") == "a ? ? a");
  options.fuse_unknown = true;
  CHECK(tokens(bpe_model(vocabulary({"a", "?"}), {}, options), "axya") == "a ? a");
  std::vector<std::string> words{"a", "?"};
  char spelled[8];
  for (int byte = 0; byte < 256; ++byte) {
    std::snprintf(spelled, sizeof spelled, "<0x%02X>", byte);
    words.emplace_back(spelled);
  }
  options.byte_fallback = true;
  CHECK(tokens(bpe_model(vocabulary(words), {}, options), "aé") == "a <0xC3> <0xA9>");
}

TEST_CASE("prefixes and suffixes of byte pairs") {
  BpeOptions options;
  options.end_of_word_suffix = "</w>";
  const auto suffixed = bpe_model(vocabulary({"a", "b", "b</w>", "ab</w>"}), merges({"a b</w>"}), options);
  CHECK(tokens(suffixed, "ab") == "ab</w>");
  CHECK(tokens(suffixed, "ba") == "b");  // "a</w>" is not in the vocabulary, and there is no unknown token
  options = {};
  options.continuing_prefix = "##";
  CHECK(tokens(bpe_model(vocabulary({"a", "##b", "ab"}), merges({"a ##b"}), options), "ab") == "ab");
  options = {};
  options.ignore_merges = true;
  CHECK(tokens(bpe_model(vocabulary({"a", "b", "ab"}), {}, options), "ab") == "ab");
}

TEST_CASE("a merge whose parts are not tokens is named") {
  CHECK_THROWS_WITH_AS(bpe_model(vocabulary({"a", "b"}), merges({"a b"}), {}), doctest::Contains("merge 1"), Error);
}

TEST_CASE("Unigram finds the most probable tokens") {
  const auto model = unigram_model(vocabulary({"?", "a", "b", "ab", "abc", "c"}), {0, -1, -1, -1.5, -5, -1}, 0, false);
  CHECK(tokens(model, "ab") == "ab");
  CHECK(tokens(model, "abc") == "ab c");
  CHECK(tokens(model, "axyb") == "a ? b");  // unknown characters in a row are one token
  const auto strict = unigram_model(vocabulary({"a"}), {-1}, std::nullopt, false);
  CHECK(tokens(strict, "aa") == "a a");
  CHECK_THROWS_WITH_AS(tokens(strict, "ab"), doctest::Contains("no unknown token"), Error);
  CHECK_THROWS_AS(unigram_model(vocabulary({"a"}), {-1}, 7, false), Error);
}

TEST_CASE("a vocabulary is a bijection") {
  Vocabulary words = vocabulary({"a", "b"});
  CHECK_THROWS_WITH_AS(words.add("a", 5), doctest::Contains("two ids"), Error);
  CHECK_THROWS_WITH_AS(words.add("c", 1), doctest::Contains("of \"b\""), Error);
  CHECK_THROWS_AS(words.add("c", -1), Error);
  CHECK_THROWS_AS(words.add("c", Vocabulary::max_id + 1), Error);
  words.add("c", 9);
  CHECK(words.size() == 10);
  CHECK(words.count() == 3);
  CHECK(!words.token(5));
  CHECK(words.find("c") == 9);
}

TEST_CASE("without merges a piece that is a token is that token, whatever its prefix or suffix") {
  BpeOptions options;
  options.ignore_merges = true;
  options.end_of_word_suffix = "</w>";
  const auto ending = bpe_model(vocabulary({"a", "a</w>", "b", "b</w>", "ab", "ab</w>"}), merges({"a b</w>"}), options);
  CHECK(tokens(ending, "ab") == "ab");
  CHECK(tokens(ending, "ba") == "b a</w>");
  options.end_of_word_suffix.clear();
  options.continuing_prefix = "##";
  const auto continuing = bpe_model(vocabulary({"a", "ab", "##b", "b", "##a"}), merges({"a ##b"}), options);
  CHECK(tokens(continuing, "ab") == "ab");
  CHECK(tokens(continuing, "ba") == "b ##a");
}

TEST_CASE("a character falls back to bytes where the vocabulary has all of its own") {
  // As tokenizers 0.23.3 has it: an unknown character stands behind the bytes that follow it.
  const std::vector<std::string> words{"?", "a", "<0xC3>", "<0xA9>"};
  BpeOptions options;
  options.unknown_token = "?";
  options.byte_fallback = true;
  CHECK(tokens(bpe_model(vocabulary(words), {}, options), "aéa你") == "a <0xC3> <0xA9> a ?");
  CHECK(tokens(bpe_model(vocabulary(words), {}, options), "你你éa") == "? <0xC3> <0xA9> ? a");
  options.fuse_unknown = true;
  CHECK(tokens(bpe_model(vocabulary(words), {}, options), "你é你a") == "<0xC3> <0xA9> ? a");
  const auto unigram = unigram_model(vocabulary(words), {-1, -1, -5, -5}, 0, true);
  CHECK(tokens(unigram, "aéa你") == "a <0xC3> <0xA9> a ?");
  CHECK(tokens(unigram, "é你") == "?");  // unknown ones in a row are one
}

TEST_CASE("where characters fall back to bytes, so do the prefix and the suffix") {
  std::vector<std::string> words{"a", "##a", "a</w>"};
  const std::string digits = "0123456789ABCDEF";
  for (const char high : digits)
    for (const char low : digits) words.push_back(std::string("<0x") + high + low + ">");
  BpeOptions options;
  options.byte_fallback = true;
  options.continuing_prefix = "##";
  CHECK(tokens(bpe_model(vocabulary(words), {}, options), "aéa") == "a <0x23> <0x23> <0xC3> <0xA9> ##a");
  options.continuing_prefix.clear();
  options.end_of_word_suffix = "</w>";
  const auto model = bpe_model(vocabulary(words), {}, options);
  CHECK(tokens(model, "xa") == "<0x78> a</w>");
  CHECK(tokens(model, "ax") == "a <0x78> <0x3C> <0x2F> <0x77> <0x3E>");
  std::vector<Token> found;
  model->tokenize("ax", found);
  CHECK(found.back().span == Span{1, 2});
}
