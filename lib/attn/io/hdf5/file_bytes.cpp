#include <attn/core/error.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/file_bytes.hpp>

#include <algorithm>
#include <cstdint>

namespace attn::io::hdf5 {
namespace {

constexpr std::uint32_t rotated(std::uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

/// How many bytes an image has that begins at `begin`, by the end of the file in its superblock. None when that is not
/// understood; then the whole input is the image.
std::optional<std::uint64_t> image_size(std::string_view head, std::size_t begin) {
  head.remove_prefix(begin);
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(head[at]); };
  const unsigned version = byte(8);
  if (version > 3) return {};
  const std::size_t width = version < 2 ? byte(13) : byte(9);
  const std::size_t addresses = version == 0 ? 24 : version == 1 ? 28 : 12;
  if ((width != 2 && width != 4 && width != 8) || addresses + 3 * width > head.size()) return {};
  const auto address = [&](std::size_t index) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | byte(addresses + index * width + i);
    return value;
  };
  // After the base address comes that of free space or of the extension. A block that is added or removed before it
  // shifts all addresses.
  const std::uint64_t base = address(0), end = address(2);
  if (end < base || end - base > ~std::uint64_t{0} - begin) return {};
  return begin + (end - base);
}

}  // namespace

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

std::optional<std::size_t> image_begin(ByteInput& input) {
  std::string_view head = input.peek(hdf5_signature.size());
  if (!head.empty() && head == hdf5_signature.substr(0, head.size())) return 0;
  constexpr std::size_t smallest_block = 512, largest_block = 1 << 20;
  for (std::size_t at = smallest_block; at <= largest_block; at *= 2) {
    head = input.peek(at + hdf5_signature.size());
    if (head.size() > at && head.substr(at) == hdf5_signature) return at;
  }
  return {};
}

Bytes take_image(ByteInput& input) {
  const std::size_t begin = image_begin(input).value_or(0);
  constexpr std::size_t smallest_superblock = 48, largest_superblock = 96;
  const std::string_view head = input.peek(begin + largest_superblock);
  // Inputs shorter than a superblock end here, by name.
  if (head.size() < begin + smallest_superblock)
    throw Error(ErrorKind::input, input.label(), "is truncated: it ends inside the HDF5 superblock");
  const std::optional<std::uint64_t> size = image_size(head, begin);
  return size ? input.take_arriving(std::max<std::uint64_t>(*size, 1)) : input.take_rest();
}

}  // namespace attn::io::hdf5
