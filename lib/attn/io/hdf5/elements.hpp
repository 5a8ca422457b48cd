#pragma once
// Elements of datasets, and attributes of objects, from and to HDF5.

#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/hdf5/datatype.hpp>
#include <attn/io/hdf5/objects.hpp>

#include <limits>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

/// A null dataspace, without elements and shape, becomes a tensor (0,).
bool is_null(const TensorView& x);
TensorView null_tensor(DType dtype, const std::string& name);

/// Converts stored elements, as many as in `out`, into `out`, which may already contain raw ones. Not for texts in
/// heaps. Throws Error(memory) for texts.
void take_elements(const Datatype& type, const ElementType& element, const void* stored, Tensor& out,
                   TextMemory& texts);

/// Elements to write into a file. Strings have variable length, or the width of the longest, padded with NUL bytes, if
/// one contains a NUL byte, or if references to all of them take more than `most_references` bytes and more than texts
/// of one width.
class OutgoingElements {
 public:
  static constexpr std::size_t one_width = 0;  ///< for `most_references`: always texts of one width

  /// Throws Error(data) that names `subject` for a string that ends with a NUL byte, which HDF5 cannot store.
  OutgoingElements(const TensorView& x, const std::string& subject,
                   std::size_t most_references = std::numeric_limits<std::size_t>::max(), bool is_ascii = false);

  const std::string& type() const noexcept { return type_; }  ///< the message
  bool are_references() const noexcept { return are_references_; }
  /// Numbers, texts of one width, or a const char* for each variable text.
  const void* data() const noexcept { return data_; }
  std::size_t count() const { return x_.size(); }
  /// Without the texts of variable-length strings, which are stored elsewhere.
  std::size_t stored_bytes() const { return count() * width_; }

 private:
  void point_at_strings(const std::string& subject, std::size_t most_references, bool is_ascii);

  TensorView x_;
  std::string type_;
  std::size_t width_;
  bool are_references_ = false;
  const void* data_;
  std::vector<const char*> pointers_;
  std::vector<char> padded_;
  MemoryShare memory_;  // memory of both
};

struct ObjectAttributes {
  Attributes tensors;
  std::vector<Unreadable> others;  ///< records, references, lists, and damaged ones
};

ObjectAttributes read_attributes(Objects& objects, const Object& object);

/// For messages; the path of the whole file is empty.
std::string subject_of_group(const std::string& path, const std::string& label);

/// Attributes to write into an object.
class OutgoingAttributes {
 public:
  /// Throws Error(create) for names, Error(data) for texts that HDF5 cannot hold.
  OutgoingAttributes(const Attributes& attributes, const std::string& subject);

  /// Does an object header of version 1 hold each of them? A message of it has less than 64 KB.
  bool fit_old_header() const;

  struct Entry {
    std::string name;
    TensorView value;
    OutgoingElements elements;
  };
  const std::vector<Entry>& entries() const noexcept { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace attn::io::hdf5
