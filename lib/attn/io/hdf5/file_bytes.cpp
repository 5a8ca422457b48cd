#include <attn/io/hdf5/file_bytes.hpp>

namespace attn::io::hdf5 {

static constexpr std::uint32_t rotated(std::uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

std::uint32_t lookup3(std::string_view bytes) noexcept {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  const auto add = [&](std::size_t count) {
    std::uint32_t words[3] = {0, 0, 0};
    for (std::size_t i = 0; i < count; ++i)
      words[i / 4] += static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << 8 * (i % 4);
    a += words[0], b += words[1], c += words[2];
    bytes.remove_prefix(count);
  };
  if (bytes.empty()) return c;
  while (bytes.size() > 12) {
    add(12);
    a = (a - c) ^ rotated(c, 4), c += b;
    b = (b - a) ^ rotated(a, 6), a += c;
    c = (c - b) ^ rotated(b, 8), b += a;
    a = (a - c) ^ rotated(c, 16), c += b;
    b = (b - a) ^ rotated(a, 19), a += c;
    c = (c - b) ^ rotated(b, 4), b += a;
  }
  add(bytes.size());
  c = (c ^ b) - rotated(b, 14);
  a = (a ^ c) - rotated(c, 11);
  b = (b ^ a) - rotated(a, 25);
  c = (c ^ b) - rotated(b, 16);
  a = (a ^ c) - rotated(c, 4);
  b = (b ^ a) - rotated(a, 14);
  return (c ^ b) - rotated(b, 24);
}

Cursor FileBytes::checked_at(std::uint64_t address, std::uint64_t count) const {
  require(count >= checksum_bytes, "a structure ends before its checksum");
  Cursor whole = at(address, count);
  const Cursor contents = whole.take(count - checksum_bytes);
  require(whole.small(checksum_bytes) == lookup3(contents.text()), "a structure has a wrong checksum");
  return contents;
}

}  // namespace attn::io::hdf5
