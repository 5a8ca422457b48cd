// attn/text/pipeline/decoder.hpp
#include <attn/text/pipeline/decoder.hpp>

#include <doctest/doctest.h>

using namespace attn::text;

namespace {

std::string decoded(const DecoderPtr& decoder, std::vector<std::string> tokens) {
  decoder->apply(tokens);
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

}  // namespace

TEST_CASE("each decoder undoes what was done to the text") {
  CHECK(decoded(word_piece_decoder("##", true), {"un", "##wanted", ",", "it", "'s", "so"}) == "unwanted, it's so");
  CHECK(decoded(word_piece_decoder("##", false), {"a", ","}) == "a ,");
  CHECK(decoded(byte_level_decoder(), {"Ġa", "Ã", "©", "<s>"}) == " aé<s>");
  CHECK(decoded(byte_level_decoder(), {"Ã", "a"}) == "\uFFFDa");
  CHECK(decoded(byte_fallback_decoder(), {"a", "<0xC3>", "<0xA9>", "<0xFF>", "b"}) == "a\uFFFD\uFFFD\uFFFDb");
  CHECK(decoded(byte_fallback_decoder(), {"<0xC3>", "<0xA9>"}) == "é");
  CHECK(decoded(metaspace_decoder("▁", Prepend::always), {"▁a", "▁b"}) == "a b");
  CHECK(decoded(metaspace_decoder("▁", Prepend::always), {"▁a▁b▁", "▁c"}) == "ab c");
  CHECK(decoded(metaspace_decoder("▁", Prepend::never), {"▁a"}) == " a");
  CHECK(decoded(bpe_decoder("</w>"), {"a", "b</w>", "c</w>"}) == "ab c");
  CHECK(decoded(ctc_decoder("<pad>", "|", true), {"a", "a", "<pad>", "a", "|", "b"}) == "aa b");
  CHECK(decoded(strip_decoder(U' ', 1, 0), {"  a "}) == " a ");
  CHECK(decoded(replace_decoder(Pattern::literal("▁"), " "), {"a▁b"}) == "a b");
  CHECK(decoded(space_decoder(), {"a", "b"}) == "a b");
}

TEST_CASE("a sequence of decoders works on what the one before made") {
  std::vector<DecoderPtr> steps;
  steps.push_back(replace_decoder(Pattern::literal("▁"), " "));
  steps.push_back(byte_fallback_decoder());
  steps.push_back(fuse_decoder());
  steps.push_back(strip_decoder(U' ', 1, 0));
  CHECK(decoded(decoder_sequence(std::move(steps)), {"▁a", "<0x21>", "▁b"}) == "a! b");
}
