// The audit's reading of virtual datasets: the list of their source files is in a heap, with a checksum. HDF5 1.10
// detects a wrong checksum and then crashes in its cleanup, so it is checked before.

#include <attn/io/hdf5/audit/parts.hpp>

namespace attn::io::hdf5 {
namespace {

constexpr std::uint32_t rotated(std::uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

/// The checksum of HDF5's newer structures: Bob Jenkins's lookup3 (hashlittle) of 2006, which the File Format
/// Specification names.
std::uint32_t lookup3(std::string_view bytes) {
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

}  // namespace

void Audit::check_virtual(Cursor layout) {
  constexpr unsigned newer = 4, of_virtual = 3;
  if (layout.small(1) != newer || layout.small(1) != of_virtual) return;
  const std::uint64_t collection = layout.number(offset_width_);
  const unsigned index = layout.small(4);
  if (!is_defined(collection)) return;
  add_heap(collection);
  const std::string_view object = heaps_.object(collection, index);
  constexpr std::size_t checksum_bytes = 4;
  require(object.size() >= checksum_bytes, "what a virtual dataset is made of has no checksum");
  const std::string_view parts = object.substr(0, object.size() - checksum_bytes);
  Cursor stored(reinterpret_cast<const unsigned char*>(parts.data()) + parts.size(), checksum_bytes);
  require(stored.small(checksum_bytes) == lookup3(parts), "what a virtual dataset is made of has a wrong checksum");
}

}  // namespace attn::io::hdf5
