#pragma once
// The smoothing weights themselves: fit(q) = sum_i l_i(q) y_i, as a matrix of queries by samples, a row at a time.

#include <attn/core/stream.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <memory>

namespace ATTN_API attn {

/// Compressed sparse rows: row q holds values data[indptr[q] .. indptr[q + 1]) at the columns indices[...], ascending.
struct SparseWeights {
  TensorProducer data, indices;  ///< (nnz), f64 and i64
  TensorView indptr;             ///< (m + 1), i64
  TensorView shape;              ///< (2), i64: m, n
};

/// What is returned keeps the regression; the execution must outlive it. Rows are computed when they are written, so
/// memory stays O(n + m). Rows of empty windows and of queries with NaN are zero. `queries`: none means the samples,
/// each without itself when leave_one_out is set.
TensorProducer dense_weights(std::shared_ptr<const KernelRegression> regression,
                             const std::optional<TensorView>& queries, const Smoother& smoother, bool leave_one_out,
                             const Execution& execution);
SparseWeights sparse_weights(std::shared_ptr<const KernelRegression> regression,
                             const std::optional<TensorView>& queries, const Smoother& smoother, bool leave_one_out,
                             const Execution& execution);

}  // namespace attn
