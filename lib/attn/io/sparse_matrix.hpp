#pragma once
// Sparse matrices as dense ones. Some are stored as a group of three datasets: AnnData, 10x, h5sparse, R's dgCMatrix,
// MATLAB, Octave.

#include <attn/core/source_sink.hpp>

#include <optional>
#include <string>

namespace ATTN_API attn {
namespace io {

/// The non-zero elements by rows or by columns, the index of each along the other axis, and the start of each row or
/// column among them.
struct SparseMatrix {
  std::string elements, places, begins;  ///< names of datasets; the first two are empty if all elements are zero
  bool is_by_rows = true;                ///< csr; else csc
  TensorInfo info;                       ///< of the matrix; of MATLAB and Octave in reverse order, as all of theirs
  Attributes attributes = {};            ///< of the group that hold for the matrix
};

/// A dense part of a matrix: zeros, and the elements that are put at their places.
class DensePart {
 public:
  /// Throws Error(usage) for a part that the matrix does not have, Error(memory).
  DensePart(const TensorInfo& matrix, const Slab& part, std::string name);

  const ResolvedSlab& slab() const noexcept { return slab_; }
  Tensor& elements() noexcept { return elements_; }
  /// The index of an element of the matrix in elements(); none if it is not in the part.
  std::optional<std::size_t> find(std::size_t row, std::size_t column) const noexcept;
  TensorView view() const { return turned(reshaped(elements_.view(name_), slab_.shape), slab_); }

 private:
  std::string name_;
  ResolvedSlab slab_;
  Tensor elements_;
};

/// The matrix of a group; nothing if it is not one. Throws Error(data) for complex numbers.
std::optional<SparseMatrix> sparse_matrix(const Source& source, const std::string& group);

/// A dense part; reads only its rows, or columns, from the file. Throws Error(data) for inconsistent numbers,
/// Error(memory).
TensorView read_dense(Source& source, const SparseMatrix& matrix, const Slab& part);

}  // namespace io
}  // namespace attn
