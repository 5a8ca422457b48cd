#pragma once
// Reading and writing attributes of HDF5 objects.

#include <attn/core/source_sink.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/hdf5/objects/objects.hpp>

#include <string>
#include <vector>

namespace attn::io::hdf5 {

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
