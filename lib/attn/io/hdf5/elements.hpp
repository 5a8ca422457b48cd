#pragma once
// Elements of datasets and attributes, from and to HDF5.

#include <attn/core/texts.hpp>
#include <attn/io/hdf5/handle.hpp>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

/// The extents of a dataspace, (0,) for an empty one; none if it is damaged.
std::optional<Shape> shape_of(Id space);
Handle space_of(const Shape& shape);

/// Is it a null dataspace, without elements and shape? It becomes a tensor (0,).
bool is_null(Id space);
bool is_null(const TensorView& x);
TensorView null_tensor(DType dtype, const std::string& name);
Handle space_of(const TensorView& x);

/// The bytes for each element that take_elements() needs: those of the wider type.
std::size_t room_for_element(const ElementType& element) noexcept;

/// Converts stored elements, as many as in `out`, into `out`, which may already contain raw ones. Overwrites `stored`.
/// False if the library cannot convert them. Throws Error(memory) for their texts.
bool take_elements(Id type, const ElementType& element, void* stored, Tensor& out, TextMemory& texts);

/// Elements to write into a file. Strings have variable length, or the width of the longest, padded with NUL bytes, if
/// one contains a NUL byte, or if references to all of them take more than `most_references` bytes and more than texts
/// of one width.
class OutgoingElements {
 public:
  static constexpr std::size_t one_width = 0;  ///< for `most_references`: always texts of one width

  /// Throws Error(data) that names `subject` for a string that ends with a NUL byte, which HDF5 cannot store.
  OutgoingElements(const TensorView& x, const std::string& subject,
                   std::size_t most_references = std::numeric_limits<std::size_t>::max());

  Id type() const noexcept { return type_; }
  const void* data() const noexcept { return data_; }
  std::size_t count() const { return x_.size(); }
  std::size_t stored_bytes() const;  ///< without the texts of variable-length strings, which are stored elsewhere

 private:
  void point_at_strings(const std::string& subject, std::size_t most_references);

  TensorView x_;
  Handle type_;
  const void* data_;
  std::vector<const char*> pointers_;
  std::vector<char> padded_;
  MemoryShare memory_;  // memory of both
};

}  // namespace attn::io::hdf5
