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
  std::string fault = {};       ///< by which its axes and blocks disagree; mostly none

  std::vector<std::string> names() const;
};

/// The frame of a group; nothing if it is not one, or if its columns have several levels of names.
std::optional<DataFrame> data_frame(const Source& source, const std::string& group);

/// The columns of a group that is a data frame: of pandas, or of AnnData, whose index is the first. They are datasets
/// and groups in the group of AnnData. Empty if it is none.
/// source  anndata, On-disk format, Dataframe (column-order, _index)
std::vector<std::string> frame_columns(const Source& source, const std::string& group);

/// The datasets of a data frame of AnnData: of all its columns for the path of its group, or of those that the last
/// part of the path lists, as in obs/age,height. Empty for the path of anything else. Throws Error(input) for a column
/// that is not there.
std::vector<std::string> frame_datasets(const Source& source, const std::string& path);

/// The matrix of all columns, and a part of it. Throws Error(data) for columns that cannot be read, or not beside each
/// other.
TensorInfo describe(const Source& source, const DataFrame& frame);
TensorView read(Source& source, const DataFrame& frame, const Slab& part);

}  // namespace io
}  // namespace attn
