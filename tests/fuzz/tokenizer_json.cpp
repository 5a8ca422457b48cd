// A tokenizer.json that anyone may have written: reading it, and using what was read, ends well or with attn::Error.
#include <attn/core/error.hpp>
#include <attn/text/tokenizer.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view document(reinterpret_cast<const char*>(data), size);
  try {
    const auto tokenizer = attn::text::tokenizer_from_json(document);
    attn::text::EncodeOptions options;
    options.offsets = true;
    for (const char* text :
         {"", " Hello, World 1999!\n", "e\u0301 \u6771\u4eac \U0001F600 <s>[MASK]", "\u1100\u1161 \uff76\uff9e"}) {
      try {
        tokenizer.decode(tokenizer.encode(text, options).ids, false);
        tokenizer.encode(text, "pair", options);
      } catch (const attn::Error&) {
      }
    }
  } catch (const attn::Error&) {
  }
  return 0;
}
