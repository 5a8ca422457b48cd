#pragma once
// Sparse matrices, stored as a group of three datasets: AnnData, 10x, h5sparse, R's dgCMatrix.

#include <attn/core/source_sink.hpp>

#include <optional>
#include <string>

namespace ATTN_API attn {
namespace io {

/// The non-zero elements by rows or by columns, the index of each along the other axis, and the start of each row or
/// column among them.
struct SparseMatrix {
  std::string elements, places, begins;  ///< names of datasets
  bool is_by_rows = true;                ///< csr; else csc
  TensorInfo info;                       ///< of the matrix
};

/// The matrix of a group; nothing if it is not one.
std::optional<SparseMatrix> sparse_matrix(const Source& source, const std::string& group);

/// A dense part; reads only its rows, or columns, from the file. Throws Error(data) for inconsistent numbers,
/// Error(memory).
TensorView read_dense(Source& source, const SparseMatrix& matrix, const Slab& part);

}  // namespace io
}  // namespace attn
