#pragma once
// Elements that have parts: records with fields, and arrays.

#include <attn/core/shape.hpp>
#include <attn/io/hdf5/handle.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attn::io::hdf5 {

/// What is taken of each stored element.
struct Field {
  Handle type;             ///< of the numbers or strings
  Shape inner;             ///< how many of them along the axes of an array
  std::size_t offset = 0;  ///< bytes in the file before them
};

bool is_record(Id type);

/// The names of a record's fields, those of records inside with a slash: "pos/x".
std::vector<std::string> field_names(Id record);

/// The field of that name, or for the empty name the whole element. `reference_bytes`: what a string of varying length
/// takes in an element. Nothing where there is no such field, or where it cannot be said where it lies.
std::optional<Field> field_of(Id type, const std::string& name, std::size_t reference_bytes);

/// Bytes of an element in the file: the library says how many it has in memory. 0: not known.
std::size_t stored_size(Id type, std::size_t reference_bytes);

/// Are there strings or lists of varying length, or references, inside of it?
bool has_references(Id type);

/// What can be done about elements of a type that element_type() refuses, of the dataset `name`.
std::string way_to_read(Id type, const std::string& name);

}  // namespace attn::io::hdf5
