#pragma once
// Sparse matrices, which writers store as a group of three datasets: AnnData, 10x, h5sparse, R's dgCMatrix.

#include <attn/core/stream.hpp>

#include <optional>
#include <string>

namespace ATTN_API attn {
namespace io {

/// The elements that are not zero, row by row or column by column, the place of each along the other axis, and where
/// each row or column begins among them.
struct SparseMatrix {
  std::string elements, places, begins;  ///< names of datasets
  bool is_by_rows = true;                ///< csr; else csc
  TensorInfo info;                       ///< of the matrix
};

/// The matrix that a group is; nothing where it is none.
std::optional<SparseMatrix> sparse_matrix(const Source& source, const std::string& group);

/// A part of it with its zeros; of the file only the rows, or columns, of that part. Throws Error(data) for numbers
/// that do not fit each other, Error(memory).
TensorView read_dense(Source& source, const SparseMatrix& matrix, const Slab& part);

}  // namespace io
}  // namespace attn
