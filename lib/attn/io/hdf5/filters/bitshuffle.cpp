// Bitshuffle, alone or followed by LZ4 or Zstandard. Source: Masui et al. 2015 and the filter's repository.
//
// In a block of elements, bits k of bytes j of all elements are together, eight elements a byte. The last elements,
// fewer than eight, follow unchanged.

#include <attn/io/hdf5/filters/filters.hpp>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

constexpr std::size_t elements_a_byte = 8;

/// Bit i of byte k is bit k of byte i of the argument: the transpose of 8 by 8 bits (Hacker's Delight, 7-3).
constexpr std::uint64_t transposed_bits(std::uint64_t x) noexcept {
  std::uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000cccc0000cccc;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
  return x ^ t ^ t << 28;
}

/// Decodes a block; the number of elements is a multiple of 8.
void gather_bits(const unsigned char* from, std::size_t elements, std::size_t width, unsigned char* to) noexcept {
  const std::size_t row = elements / elements_a_byte;
  for (std::size_t byte = 0; byte < width; ++byte) {
    const unsigned char* rows = from + byte * 8 * row;
    for (std::size_t group = 0; group < row; ++group) {
      std::uint64_t bits = 0;
      for (std::size_t k = 0; k < 8; ++k) bits |= std::uint64_t{rows[k * row + group]} << 8 * k;
      bits = transposed_bits(bits);
      for (std::size_t i = 0; i < elements_a_byte; ++i)
        to[(group * elements_a_byte + i) * width + byte] = static_cast<unsigned char>(bits >> 8 * i);
    }
  }
}

/// Elements in a block if the file does not give them.
std::size_t usual_block(std::size_t width) {
  constexpr std::size_t bytes = 8192, fewest = 128;
  return std::max(bytes / width / elements_a_byte * elements_a_byte, fewest);
}

}  // namespace

std::size_t undo_bitshuffle(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  constexpr unsigned none = 0, lz4 = 2, zstd = 3;
  const auto value = [&](std::size_t i) { return i < step.values.size() ? step.values[i] : 0; };
  const std::size_t width = value(2), compressor = value(4);
  require(width > 0, "bitshuffle has elements of no width");
  require(compressor == none || compressor == lz4 || compressor == zstd, "bitshuffle has an unknown compressor");
  std::uint64_t bytes = stored.left(), block = value(3) == 0 ? usual_block(width) : value(3);
  if (compressor != none) {
    bytes = stored.big_endian(8);
    block = stored.big_endian(4) / width;
  }
  require(bytes <= most && bytes % width == 0, "a chunk has a wrong size");
  require(block > 0 && block % elements_a_byte == 0, "bitshuffle has blocks of a wrong size");
  const std::uint64_t count = bytes / width, rest = count % elements_a_byte;
  std::vector<unsigned char> expanded;
  for (std::uint64_t done = 0; done < count - rest;) {
    const std::uint64_t some = std::min(block, count - rest - done), size = some * width;
    if (compressor == none) {
      gather_bits(stored.take(size).data(), some, width, to + done * width);
    } else {
      const Cursor packed = stored.take(stored.big_endian(4));
      expanded.resize(size);
      const std::size_t gave = (compressor == lz4 ? expand_lz4 : expand_zstd)(packed, expanded.data(), size);
      require(gave == size, "a block does not expand to its size");
      gather_bits(expanded.data(), some, width, to + done * width);
    }
    done += some;
  }
  std::copy_n(stored.take(rest * width).data(), rest * width, to + (count - rest) * width);
  return bytes;
}

}  // namespace attn::io::hdf5
