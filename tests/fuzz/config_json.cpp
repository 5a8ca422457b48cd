// A config.json that anyone may have written: it describes a model or is refused.
#include <attn/core/error.hpp>
#include <attn/transformer/description.hpp>

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    attn::describe_model(attn::Settings({reinterpret_cast<const char*>(data), size}, "config.json"));
  } catch (const attn::Error&) {
  }
  return 0;
}
