#pragma once
// Elements of datasets and attributes, as HDF5 hands them over and as it takes them.

#include <attn/core/texts.hpp>
#include <attn/io/hdf5/handle.hpp>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

/// The extents of a dataspace, an empty one being (0,); none when it is damaged.
std::optional<Shape> shape_of(Id space);
Handle space_of(const Shape& shape);

/// A null dataspace has no elements and no shape: a tensor (0,) that nothing owns.
bool is_null(Id space);
bool is_null(const TensorView& x);
TensorView null_tensor(DType dtype, const std::string& name);
Handle space_of(const TensorView& x);

/// The bytes that take_elements() wants for each element: of the wider of both types.
std::size_t room_for_element(const ElementType& element) noexcept;

/// Stored elements, as many as `out` has, become those of `out`, where raw ones may lie already. `stored` is used up.
/// False when the library cannot convert them. Throws Error(memory) for their texts.
bool take_elements(Id type, const ElementType& element, void* stored, Tensor& out, TextMemory& texts);

/// Elements on their way into a file. Strings have varying length, or the width of the longest, filled up with NUL
/// bytes: where one has a NUL byte inside, or where references to all of them take more than `most_references` bytes
/// and more than texts of one width do.
class OutgoingElements {
 public:
  static constexpr std::size_t one_width = 0;  ///< as `most_references`: texts of one width, whatever they take

  /// Throws Error(data) naming `subject` for a string that ends with a NUL byte, which no HDF5 string can.
  OutgoingElements(const TensorView& x, const std::string& subject,
                   std::size_t most_references = std::numeric_limits<std::size_t>::max());

  Id type() const noexcept { return type_; }
  const void* data() const noexcept { return data_; }
  std::size_t count() const { return x_.size(); }
  std::size_t stored_bytes() const;  ///< without the texts of strings of varying length, which lie elsewhere

 private:
  void point_at_strings(const std::string& subject, std::size_t most_references);

  TensorView x_;
  Handle type_;
  const void* data_;
  std::vector<const char*> pointers_;
  std::vector<char> padded_;
  MemoryShare memory_;  // what both take
};

}  // namespace attn::io::hdf5
