#pragma once
// The smoothing weights l of fit(q) = sum_i l_i(q) y_i, as a matrix of queries by samples, row by row.

#include <attn/core/source_sink.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <memory>
#include <vector>

namespace ATTN_API attn {

/// Compressed sparse rows: row q holds values data[indptr[q] .. indptr[q + 1]) at the columns indices[...], ascending.
struct SparseWeights {
  TensorProducer data, indices;  ///< (nnz), f64 and i64
  TensorView indptr;             ///< (m + 1), i64
  TensorView shape;              ///< (2), i64: m, n
};

/// The result keeps the regression; the execution must outlive it. Rows are computed while they are written, so memory
/// is O(n + m). Rows of empty windows and of NaN queries are zero. `queries`: none means the samples, with
/// leave_one_out each from the others.
TensorProducer dense_weights(std::shared_ptr<const KernelRegression> regression,
                             const std::optional<TensorView>& queries, const Smoother& smoother, bool leave_one_out,
                             const Execution& execution);
/// A regression and how it is smoothed.
struct SmoothedRegression {
  std::shared_ptr<const KernelRegression> regression;
  Smoother smoother;
};
/// Those of C regressions of as many samples at the same queries, (m, n, C).
TensorProducer dense_weights(const std::vector<SmoothedRegression>& fits, const std::optional<TensorView>& queries,
                             bool leave_one_out, const Execution& execution);
SparseWeights sparse_weights(std::shared_ptr<const KernelRegression> regression,
                             const std::optional<TensorView>& queries, const Smoother& smoother, bool leave_one_out,
                             const Execution& execution);

}  // namespace attn
