// A chat template that anyone may have written, and behind a byte 0x1e the chat, else one of two messages.
#include "folder.hpp"

#include <attn/text/chat_template.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::memory_account().limit(std::size_t{64} << 20);
  const std::string all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = all.find('\x1e');
  std::string chat = R"([{"role": "user", "content": " Hé "}, )";
  chat += R"({"role": "assistant", "content": "a<b>c", "n": [1, -2.5, null]}])";
  if (end != std::string::npos) chat = all.substr(end + 1);
  fuzz::allow_errors([&] { attn::text::ChatTemplate(all.substr(0, end), "template", {{"bos_token", "<s>"}})(chat); });
  return 0;
}
