#pragma once
// Columns that are stored apart, as one matrix: fields of records, and data frames of pandas.

#include <attn/core/source_sink.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {
namespace io {

/// The dtype that holds the numbers of all columns. Throws Error(data) that names `subject` for texts and numbers.
DType common_dtype(const std::vector<TensorInfo>& columns, const std::string& subject);

/// Joins columns of one shape along a new last axis. Throws Error(data) for an integer that the dtype would round.
TensorView side_by_side(const std::vector<TensorView>& columns, DType dtype, const std::string& name);

/// A data frame as DataFrame.to_hdf() stores it in its fixed format: a block for the columns of each dtype.
struct DataFrame {
  struct Column {
    std::string name;
    std::string block;      ///< the dataset that has it
    std::size_t place = 0;  ///< its column there
  };
  std::string group;
  std::vector<Column> columns;  ///< in the order of the frame

  std::vector<std::string> names() const;
};

/// The frame of a group; nothing if it is not one, or if its columns have several levels of names.
std::optional<DataFrame> data_frame(const Source& source, const std::string& group);

/// The matrix of all columns, and a part of it. Throws Error(data) for columns that cannot be read, or not beside each
/// other.
TensorInfo describe(const Source& source, const DataFrame& frame);
TensorView read(Source& source, const DataFrame& frame, const Slab& part);

}  // namespace io
}  // namespace attn
