// Any text as an operand, and any slab against a shape.
#include <attn/core/error.hpp>
#include <attn/io/operand.hpp>

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const attn::io::Operand operand = attn::io::parse_operand(text);
    if (!operand.literal) resolve(operand.slab, {7, 1, 0, 3}, text);
  } catch (const attn::Error&) {
  }
  return 0;
}
