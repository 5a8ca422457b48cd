// Gzip data that anyone may have written, in pieces of few bytes.
#include "consume.hpp"

#include <attn/io/bytes/gzip.hpp>

#include <algorithm>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::size_t at = 0;
  attn::io::Inflater inflater(
      [&](void* to, std::size_t count) {
        const std::size_t some = std::min({count, size - at, std::size_t{7}});
        std::memcpy(to, data + at, some);
        at += some;
        return some;
      },
      "input");
  try {
    unsigned char out[100];
    for (std::size_t left = 1 << 20; left > 0 && inflater.read(out, sizeof out) == sizeof out; left -= sizeof out) {
    }
  } catch (const attn::Error&) {
  }
  return 0;
}
