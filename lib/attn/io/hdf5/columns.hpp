#pragma once
// Columns of datasets by their names: fields of records, and columns of a matrix whose attribute `columns` names them.

#include <attn/core/source_sink.hpp>

#include <string>
#include <vector>

namespace attn::io::hdf5 {

/// Columns of one dataset.
struct Columns {
  std::string dataset;
  std::vector<std::string> names;
  std::vector<std::size_t> places;  ///< indices of columns of a matrix; empty for fields
};

/// The names in "age,height".
std::vector<std::string> split_columns(const std::string& text);

/// The index of each column of a matrix by its name, or by its number from 0; none if one is unknown.
std::vector<std::size_t> places_of(const std::vector<std::string>& wanted, const std::vector<std::string>& columns);

/// The dtype that holds the numbers of all columns. Throws Error(data) that names `subject` for texts and numbers.
DType common_dtype(const std::vector<TensorInfo>& columns, const std::string& subject);

/// Joins columns of one shape along a new last axis. Throws Error(data) for an integer that the dtype would round.
TensorView side_by_side(const std::vector<TensorView>& columns, DType dtype, const std::string& name);

}  // namespace attn::io::hdf5
