#pragma once
// A folder of small files in one input: each begins with a byte 0x1e and its name up to the end of the line.

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/text/tokenizer.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace fuzz {

inline attn::text::ReadFile folder_of(const std::uint8_t* data, std::size_t size) {
  attn::memory_account().limit(std::size_t{64} << 20);
  const std::string all(reinterpret_cast<const char*>(data), size);
  std::map<std::string, std::string> files;
  for (std::size_t at = all.find('\x1e'); at != std::string::npos;) {
    const std::size_t end = all.find('\x1e', at + 1), line = all.find('\n', at);
    if (line < end) files[all.substr(at + 1, line - at - 1)] = all.substr(line + 1, end - line - 1);
    at = end;
  }
  return [files](const std::string& name) {
    const auto found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
}

/// Runs f, which may refuse its input.
template <class F>
void allow_errors(F f) {
  try {
    f();
  } catch (const attn::Error&) {
  }
}

}  // namespace fuzz
