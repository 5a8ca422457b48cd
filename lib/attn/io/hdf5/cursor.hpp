#pragma once
// Reading numbers, little-endian unless told otherwise, from bytes that may be damaged, and writing them.

#include <cstdint>
#include <initializer_list>
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

}  // namespace attn::io::hdf5
