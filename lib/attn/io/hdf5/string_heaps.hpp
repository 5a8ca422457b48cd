#pragma once
// The heaps of variable-length strings in an HDF5 file, to which datasets and attributes refer. The library allocates
// such a string twice and a heap three times to return one: texts are read in place instead.

#include <attn/io/hdf5/file_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace attn::io::hdf5 {

class StringHeaps {
 public:
  StringHeaps() = default;
  explicit StringHeaps(FileBytes file) : file_(std::move(file)) {}

  /// Size of a reference: the length of the text, the address of its heap, its number there.
  std::size_t reference_bytes() const noexcept { return 8 + file_.offset_width; }

  /// The target of the next reference. Throws Damage.
  std::string_view referred(Cursor& references);
  /// The same as a text, up to a NUL byte as in C.
  std::string_view text(Cursor& references);

  /// An object by the address of its heap and its number. Throws Damage.
  std::string_view object(std::uint64_t heap, unsigned number);
  /// Bytes of the heap at an address. Throws Damage if there is none.
  std::uint64_t size_of(std::uint64_t heap) const;

 private:
  /// The objects of a heap in ascending order: the number in the upper 16 bits, the offset in the file in the others.
  using Objects = std::vector<std::uint64_t>;

  const Objects& objects_of(std::uint64_t heap);
  /// Bytes before the objects of a heap, and before each object.
  std::uint64_t prefix_bytes() const noexcept { return padded(8 + file_.length_width); }

  FileBytes file_;
  std::map<std::uint64_t, Objects> known_;  // most recently used heaps by address
  std::size_t known_bytes_ = 0;
};

}  // namespace attn::io::hdf5
