// The tokenizer and the template of a folder that anyone may have written: vocab.txt, vocab.json and merges.txt,
// tokenizer_config.json, models of SentencePiece.
#include "folder.hpp"

#include <attn/text/chat_template.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const attn::text::ReadFile read = fuzz::folder_of(data, size);
  fuzz::allow_errors([&] { attn::text::load_chat_template(read, "folder", {"tool_use"}); });
  fuzz::allow_errors([&] {
    const auto tokenizer = attn::text::load_tokenizer(read, "folder");
    attn::text::EncodeOptions options;
    options.offsets = true;
    for (const char* text : {"", " Hello, the low World 1999!\n", "e\u0301 \u6771\u4eac <s>[MASK]"})
      fuzz::allow_errors([&] { tokenizer.decode(tokenizer.encode(text, options).ids, false); });
  });
  return 0;
}
