#pragma once
// The results of a tool, and the attributes that are copied with a tensor, whole or in part.

#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// A dataset that belongs to a tensor, such as the coordinates of an axis, and the same part of it.
struct Coordinate {
  attn::Source* source;
  std::string name;
  attn::Slab part;
};

/// One dataset of a result.
struct Result {
  std::string name;  ///< empty: the main result, named by the output operand
  attn::TensorView tensor;
  attn::Attributes attributes = {};
  std::optional<attn::TensorProducer> producer = {};  ///< instead of `tensor`: computed while written
  std::vector<Coordinate> coordinates = {};           ///< of its axes, written beside it in HDF5

  attn::DType dtype() const { return producer ? producer->dtype : tensor.dtype; }
  const attn::Shape& shape() const { return producer ? producer->shape : tensor.shape; }
};

using attn::GroupAttributes;

/// A tensor of which only the description is known.
inline attn::TensorView unread(const attn::TensorInfo& info) {
  return {nullptr, info.dtype, info.shape, attn::row_major_strides(info.shape), nullptr, info.name};
}

/// May a number of one dtype have no value in the other? Then it is checked before anything is written.
bool may_fail(attn::DType from, attn::DType to);
/// The same numbers in another dtype, converted while they are written.
attn::TensorProducer converted(const attn::TensorProducer& producer, attn::DType dtype);
/// The same elements, shown to `see` in parts of one axis while they are written, and then `end`.
attn::TensorProducer watched(const attn::TensorProducer& producer,
                             std::function<void(const attn::TensorView& part)> see, std::function<void()> end);

/// In a table, days of dates become dates again. A result of which only some columns are days becomes one for each
/// column.
std::vector<Result> with_dates(std::vector<Result> results);

using Note = std::function<void(const std::string& text)>;

/// The attributes of a tensor, a group or the file; a note names those that cannot be copied.
attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const Note& note);

/// What belongs to a part of a tensor that is copied.
std::vector<Coordinate> coordinates_of(attn::Source& source, const std::string& name, const attn::Slab& part);

/// Have they the same dtype, shape and bits?
bool are_same(const attn::TensorView& a, const attn::TensorView& b);

/// The attributes of a part of a tensor. The attribute "columns", with a name for each index of the last axis of a
/// matrix, becomes the names of the part's columns: one name for a single column, none for a row.
attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const attn::Slab& part,
                               const Note& note);

}  // namespace cli
