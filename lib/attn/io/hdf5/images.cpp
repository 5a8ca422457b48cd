#include <attn/core/error.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/images.hpp>

#include <algorithm>
#include <cstdint>

namespace attn::io::hdf5 {
namespace {

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
