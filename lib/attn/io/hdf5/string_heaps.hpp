#pragma once
// The heaps of an HDF5 file that hold strings of varying length, which datasets and attributes refer to. The library
// allocates such a string twice and a heap three times to hand one over: texts are taken from where they lie instead.

#include <attn/io/byte_input.hpp>
#include <attn/io/hdf5/cursor.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace attn::io::hdf5 {

class StringHeaps {
 public:
  StringHeaps() = default;
  /// `base`: where addresses count from; the widths are those of addresses and of sizes.
  StringHeaps(Bytes image, std::uint64_t base, std::size_t offset_width, std::size_t length_width)
      : image_(std::move(image)), base_(base), offset_width_(offset_width), length_width_(length_width) {}

  /// Of a reference: the length of the text, the address of its heap, its number there.
  std::size_t reference_bytes() const noexcept { return 8 + offset_width_; }

  /// What the next reference leads to. Throws Damage.
  std::string_view referred(Cursor& references);
  /// The same as a text, which a NUL byte ends as in C.
  std::string_view text(Cursor& references);

  /// By the address of a heap and the number there. Throws Damage.
  std::string_view object(std::uint64_t heap, unsigned number);
  /// Bytes of the heap at an address. Throws Damage where there is none.
  std::uint64_t size_of(std::uint64_t heap) const;

 private:
  /// The objects of a heap in ascending order, each its number in the upper 16 bits, its place in the file in the
  /// others.
  using Objects = std::vector<std::uint64_t>;

  Cursor bytes_at(std::uint64_t address, std::uint64_t count) const;
  const Objects& objects_of(std::uint64_t heap);

  Bytes image_;
  std::uint64_t base_ = 0;
  std::size_t offset_width_ = 8, length_width_ = 8;
  std::map<std::uint64_t, Objects> known_;  // by address, those looked at last
  std::size_t known_bytes_ = 0;
};

}  // namespace attn::io::hdf5
