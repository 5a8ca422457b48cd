// The settings of a folder that anyone may have written: modules.json and the files that it names,
// generation_config.json, preprocessor_config.json.
#include "folder.hpp"

#include <attn/image/preprocess.hpp>
#include <attn/transformer/generation_config.hpp>
#include <attn/transformer/text_vectors.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const attn::text::ReadFile read = fuzz::folder_of(data, size);
  fuzz::allow_errors([&] {
    if (const auto settings = attn::read_sentence_settings(read, "folder")) attn::prompt_of(*settings, "query");
  });
  fuzz::allow_errors([&] {
    if (const auto text = read("preprocessor_config.json"))
      attn::read_preprocessing(attn::JsonNode(*text, "preprocessor_config.json"), "vit");
  });
  fuzz::allow_errors([&] {
    attn::GenerationParameters parameters;
    attn::SpecialTokens tokens;
    if (const auto text = read("generation_config.json"))
      attn::read_generation_config(attn::JsonNode(*text, "generation_config.json"), 100, parameters, tokens);
  });
  return 0;
}
