// attn/text/pipeline/pre_tokenizer.hpp: where each pre-tokeniser cuts.
#include <attn/text/pipeline/normalizer.hpp>
#include <attn/text/pipeline/pre_tokenizer.hpp>

#include <doctest/doctest.h>

using namespace attn::text;

namespace {

// The pieces with bars between.
std::string cut(const PreTokenizerPtr& pre_tokenizer, const std::string& text, std::size_t begin = 0) {
  Pieces pieces{AlignedText(text, begin, true), {{0, text.size()}}};
  pre_tokenizer->apply(pieces);
  std::string shown;
  for (const Span& span : pieces.spans)
    shown += (shown.empty() ? "" : "|") + pieces.text.text().substr(span.begin, span.size());
  return shown;
}

}  // namespace

TEST_CASE("the five behaviours at a separator") {
  const auto at = [](Split behavior) {
    return cut(split_pre_tokenizer(Pattern::literal("-"), behavior, false), "-a--b-");
  };
  CHECK(at(Split::removed) == "a|b");
  CHECK(at(Split::isolated) == "-|a|-|-|b|-");
  CHECK(at(Split::merged_with_previous) == "-|a-|-|b-");
  CHECK(at(Split::merged_with_next) == "-a|-|-b|-");
  CHECK(at(Split::contiguous) == "-|a|--|b|-");
}

TEST_CASE("an empty match stands between the runs around it") {
  const auto at = [](Split behavior) {
    return cut(split_pre_tokenizer(Pattern::regex("b*"), behavior, false), "acbc");
  };
  CHECK(at(Split::removed) == "a|c|c");
  CHECK(at(Split::isolated) == "a|c|b|c");
  CHECK(at(Split::merged_with_previous) == "a|cb|c");
  CHECK(at(Split::merged_with_next) == "a|c|bc");
  CHECK(at(Split::contiguous) == "a|c|b|c");
}

TEST_CASE("an inverted pattern is what is kept together") {
  CHECK(cut(split_pre_tokenizer(Pattern::regex("\\p{L}+"), Split::removed, true), "ab 12 cé") == "ab|cé");
}

TEST_CASE("BERT drops white space and isolates punctuation") {
  CHECK(cut(bert_pre_tokenizer(), " Don't  stop…") == "Don|'|t|stop|…");
}

TEST_CASE("words and runs of the rest") { CHECK(cut(whitespace_pre_tokenizer(), "a_1 é?! b") == "a_1|é|?!|b"); }

TEST_CASE("GPT-2 cuts by its pattern and spells bytes") {
  CHECK(cut(byte_level_pre_tokenizer(false, true), "it's é 12") == "it|'s|ĠÃ©|Ġ12");
  CHECK(cut(byte_level_pre_tokenizer(true, true), "a  b") == "Ġa|Ġ|Ġb");
  CHECK(cut(byte_level_pre_tokenizer(false, false), "a b") == "aĠb");
}

TEST_CASE("sentencepiece's space goes in front of every text, the first one, or none") {
  CHECK(cut(metaspace_pre_tokenizer("▁", Prepend::always, true), "a b") == "▁a|▁b");
  CHECK(cut(metaspace_pre_tokenizer("▁", Prepend::always, true), " a") == "▁a");
  CHECK(cut(metaspace_pre_tokenizer("▁", Prepend::never, false), "a b") == "a▁b");
  CHECK(cut(metaspace_pre_tokenizer("▁", Prepend::first, true), "a") == "▁a");
  CHECK(cut(metaspace_pre_tokenizer("▁", Prepend::first, true), "a", 5) == "a");
}

TEST_CASE("the first text is what came from the first character of the original") {
  const auto cut_after = [](const NormalizerPtr& normalizer, const PreTokenizerPtr& first, const std::string& text,
                            bool tracked) {
    AlignedText original(text, 0, tracked);
    normalizer->apply(original);
    const std::size_t size = original.text().size();
    Pieces pieces{std::move(original), {{0, size}}};
    first->apply(pieces);
    metaspace_pre_tokenizer("▁", Prepend::first, true)->apply(pieces);
    std::string shown;
    for (const Span& span : pieces.spans)
      shown += (shown.empty() ? "" : "|") + pieces.text.text().substr(span.begin, span.size());
    return shown;
  };
  const auto each = split_pre_tokenizer(Pattern::regex("."), Split::isolated, false);
  const auto bytes = byte_level_pre_tokenizer(false, true);
  for (const bool tracked : {false, true}) {
    CHECK(cut_after(strip_normalizer(true, true), each, "  hi", tracked) == "h|i");
    CHECK(cut_after(strip_normalizer(true, true), each, "hi", tracked) == "▁h|i");
    CHECK(cut_after(form_normalizer(Form::nfkd), each, "½2", tracked) == "▁1|▁⁄|▁2|2");
    CHECK(cut_after(form_normalizer(Form::nfc), bytes, "é x", tracked) == "▁Ã©|Ġx");
    CHECK(cut_after(prepend_normalizer("_"), each, "ab", tracked) == "▁_|▁a|b");
    CHECK(cut_after(replace_normalizer(Pattern::literal("a"), ""), each, "ab", tracked) == "b");
  }
}

TEST_CASE("pieces of one length in code points") { CHECK(cut(fixed_length_pre_tokenizer(2), "aébcd") == "aé|bc|d"); }

TEST_CASE("a sequence cuts pieces further") {
  std::vector<PreTokenizerPtr> steps;
  steps.push_back(class_pre_tokenizer(is_whitespace, Split::removed));
  steps.push_back(class_pre_tokenizer(is_numeric, Split::isolated));
  CHECK(cut(pre_tokenizer_sequence(std::move(steps)), "a1 23") == "a|1|2|3");
}
