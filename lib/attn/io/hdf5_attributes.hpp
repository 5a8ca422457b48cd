#pragma once
// Attributes of HDF5 objects, both ways.

#include <attn/core/stream.hpp>
#include <attn/io/bytes.hpp>
#include <attn/io/hdf5_handle.hpp>

#include <string>
#include <vector>

namespace attn::io::hdf5 {

struct ObjectAttributes {
  Attributes tensors;
  std::vector<Unreadable> others;  ///< records, references, lists, and what is damaged
};

/// All attributes of an object but those that this version of HDF5 cannot decode at all. `image` is the file that the
/// object is in.
ObjectAttributes read_attributes(Id object, const Bytes& image, const std::string& label);

/// Does an object header of version 1 hold each of them? A message of it has less than 64 KB.
bool fit_old_header(const Attributes& attributes, const std::string& subject);

/// Writes or replaces attributes. Throws Error(data) naming `subject` when one is larger than the object's header
/// holds.
void write_attributes(Id object, const Attributes& attributes, const std::string& subject);

}  // namespace attn::io::hdf5
