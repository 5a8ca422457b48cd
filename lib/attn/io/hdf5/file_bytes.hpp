#pragma once
// The bytes of HDF5 files: images, which follow each other in an input without gaps, their bytes by the addresses
// inside them, and reading numbers, little-endian unless told otherwise, from bytes that may be damaged, and writing
// them.

#include <attn/io/byte_input.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace attn::io::hdf5 {

/// The bytes of a file are inconsistent. what() completes "is damaged HDF5: ...".
struct Damage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A structure of an unknown version. Under a checksum it is not damage, but a form of later versions of HDF5.
struct UnknownVersion : Damage {
  using Damage::Damage;
};

inline void require(bool holds, const char* what) {
  if (!holds) throw Damage(what);
}

inline void require_version(bool is_known, const char* what) {
  if (!is_known) throw UnknownVersion(what);
}

/// Bytes that are read from the front; reading beyond the end is damage.
class Cursor {
 public:
  Cursor(const unsigned char* at, std::uint64_t left) : at_(at), left_(left) {}
  explicit Cursor(std::string_view text) : Cursor(reinterpret_cast<const unsigned char*>(text.data()), text.size()) {}

  std::uint64_t left() const noexcept { return left_; }
  const unsigned char* data() const noexcept { return at_; }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(at_), left_}; }

  Cursor take(std::uint64_t count) {
    require(count <= left_, "a structure ends before its contents");
    const Cursor front(at_, count);
    at_ += count;
    left_ -= count;
    return front;
  }
  void skip(std::uint64_t count) { take(count); }
  /// The rest after the first `count` bytes.
  Cursor behind(std::uint64_t count) const {
    Cursor rest = *this;
    rest.skip(count);
    return rest;
  }
  std::uint64_t number(std::size_t width) {
    const Cursor bytes = take(width);
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | bytes.at_[i];
    return value;
  }
  /// The first byte is the highest.
  std::uint64_t big_endian(std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) value = value << 8 | number(1);
    return value;
  }
  unsigned small(std::size_t width) { return static_cast<unsigned>(number(width)); }
  /// Text up to a NUL, which is consumed too.
  std::string_view terminated() {
    const std::size_t end = text().find('\0');
    require(end != std::string_view::npos, "a name has no end");
    const std::string_view name = text().substr(0, end);
    skip(end + 1);
    return name;
  }

 private:
  const unsigned char* at_;
  std::uint64_t left_;
};

constexpr std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

/// Size rounded up to a multiple of 8 bytes.
constexpr std::uint64_t padded(std::uint64_t bytes) noexcept { return rounded_up(bytes, 8); }

/// Bytes in the order in which they are written.
class Bytestring {
 public:
  Bytestring& number(std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) bytes_ += static_cast<char>(value >> 8 * i);
    return *this;
  }
  Bytestring& each(std::initializer_list<unsigned> bytes) {
    for (const unsigned byte : bytes) bytes_ += static_cast<char>(byte);
    return *this;
  }
  Bytestring& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  Bytestring& zeros(std::size_t count) {
    bytes_.append(count, '\0');
    return *this;
  }
  Bytestring& pad() { return zeros(padded(bytes_.size()) - bytes_.size()); }
  std::size_t size() const noexcept { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

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

/// The offset of the next image: HDF5 allows a user block before it, of 512 bytes or a power of two times that, here up
/// to 1 MiB. None if no image follows; an input that ends inside the signature counts as an image.
std::optional<std::size_t> image_begin(ByteInput& input);

/// The next image with the block before it, or the whole rest if its superblock is unknown. Throws Error(input) if it
/// is truncated.
Bytes take_image(ByteInput& input);

}  // namespace attn::io::hdf5
