#pragma once
// Elements with parts: records with fields, and arrays.

#include <attn/core/shape.hpp>
#include <attn/io/hdf5/handle.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

/// The part of each stored element to read.
struct Field {
  Handle type;             ///< of the numbers or strings
  Shape inner;             ///< extents of an array
  std::size_t offset = 0;  ///< bytes in the file before them
};

bool is_record(Id type);
/// Is it a complex number of h5py and others: a record of two floats, "r" and "i" or "real" and "imag".
bool is_complex(Id type);

/// The names of the fields of a record, those of nested records with a slash: "pos/x".
std::vector<std::string> field_names(Id record);

/// The field of that name, or for the empty name the whole element. `reference_bytes`: bytes of a variable-length
/// string in an element. Nothing if there is no such field, or if its offset is unknown.
std::optional<Field> field_of(Id type, const std::string& name, std::size_t reference_bytes);

/// Bytes of an element in the file, while the library gives those in memory. 0: unknown.
std::size_t stored_size(Id type, std::size_t reference_bytes);

/// A remedy for elements of dataset `name` whose type element_type() refuses.
std::string way_to_read(Id type, const std::string& name);

}  // namespace attn::io::hdf5
