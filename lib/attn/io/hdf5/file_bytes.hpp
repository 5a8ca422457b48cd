#pragma once
// The bytes of an HDF5 file by the addresses inside it.

#include <attn/io/byte_input.hpp>
#include <attn/io/hdf5/cursor.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace attn::io::hdf5 {

/// Kinds of messages in the headers of objects.
namespace message {
constexpr unsigned dataspace = 0x01, link_info = 0x02, datatype = 0x03, old_fill = 0x04, fill = 0x05, link = 0x06,
                   external_files = 0x07, layout = 0x08, filters = 0x0b, attribute = 0x0c, shared_table = 0x0f,
                   continuation = 0x10, symbol_table = 0x11, attribute_info = 0x15, last_known = 0x17;
}  // namespace message

/// Bytes of the checksum behind a structure of the newer kind.
constexpr std::uint64_t checksum_bytes = 4;

struct FileBytes {
  Bytes image;
  std::uint64_t base = 0;                          ///< origin of addresses
  std::size_t offset_width = 8, length_width = 8;  ///< bytes of an address, and of a size

  /// Bytes of the file, which may still have to come. Throws Damage for those outside.
  Cursor place(std::uint64_t address, std::uint64_t count) const {
    const std::uint64_t there = image.size - base;
    require(address <= there && count <= there - address, "an address leads outside the file");
    return {image.data + base + address, count};
  }
  /// The same, when they have come.
  Cursor at(std::uint64_t address, std::uint64_t count) const {
    const Cursor bytes = place(address, count);
    image.await(bytes.data(), count);
    return bytes;
  }
  bool is_defined(std::uint64_t address) const noexcept {
    const std::uint64_t undefined = offset_width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * offset_width) - 1;
    return address != undefined && address != ~std::uint64_t{0};
  }
  /// For the largest extent of an axis.
  bool is_unlimited(std::uint64_t extent) const noexcept {
    return extent == (length_width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * length_width) - 1);
  }
  /// A structure of `count` bytes whose last four are its checksum; without these. Throws Damage.
  Cursor checked_at(std::uint64_t address, std::uint64_t count) const;
};

/// The checksum of HDF5's newer structures: Bob Jenkins's lookup3 (hashlittle) of 2006, which the File Format
/// Specification names.
std::uint32_t lookup3(std::string_view bytes) noexcept;

}  // namespace attn::io::hdf5
