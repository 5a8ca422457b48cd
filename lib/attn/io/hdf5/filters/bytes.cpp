// Filters that move bytes or add some: byte shuffle and Fletcher's checksum.

#include <attn/io/hdf5/filters/filters.hpp>

#include <algorithm>

namespace attn::io::hdf5 {
namespace {

/// Fletcher's checksum of 16-bit words, the first byte of each the higher one, modulo 65535 where 65535 stands for 0.
std::uint32_t fletcher32_of(const unsigned char* at, std::size_t bytes) noexcept {
  const auto folded = [](std::uint64_t sum) {
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    return sum;
  };
  std::uint64_t sum = 0, sum_of_sums = 0;
  constexpr std::size_t words_without_overflow = 1 << 15;
  for (std::size_t i = 0; i < bytes;) {
    const std::size_t end = std::min(bytes, i + 2 * words_without_overflow);
    for (; i < end; i += 2) {
      sum += static_cast<unsigned>(at[i] << 8 | (i + 1 < bytes ? at[i + 1] : 0));
      sum_of_sums += sum;
    }
    sum = folded(sum);
    sum_of_sums = folded(sum_of_sums);
  }
  return static_cast<std::uint32_t>(sum_of_sums << 16 | sum);
}

}  // namespace

/// Bytes k of all elements are together, followed by the bytes that do not fill an element.
std::size_t undo_shuffle(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  require(!step.values.empty() && step.values[0] > 0, "the byte shuffle has no width");
  const std::size_t bytes = stored.left(), width = step.values[0], count = bytes / width;
  require(bytes <= most, "a chunk has a wrong size");
  const unsigned char* from = stored.data();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < width; ++k) to[i * width + k] = from[k * count + i];
  std::copy(from + count * width, from + bytes, to + count * width);
  return bytes;
}

std::size_t undo_fletcher32(const FilterStep&, Cursor stored, unsigned char* to, std::size_t most) {
  constexpr std::size_t checksum_bytes = 4;
  require(stored.left() >= checksum_bytes && stored.left() - checksum_bytes <= most, "a chunk has a wrong size");
  const Cursor elements = stored.take(stored.left() - checksum_bytes);
  require(stored.small(checksum_bytes) == fletcher32_of(elements.data(), elements.left()),
          "a chunk has a wrong checksum");
  std::copy_n(elements.data(), elements.left(), to);
  return elements.left();
}

}  // namespace attn::io::hdf5
