#pragma once
// Classes as numbers: labels become columns of 0 and 1, fits become probabilities, probabilities a class.

#include <attn/core/tensor.hpp>

namespace ATTN_API attn {

/// Classes as numbers: one column for each class, 1 for its rows.
struct Classes {
  TensorView names;    ///< (K), of the dtype of the labels, ascending
  TensorView one_hot;  ///< (n, K), f64
};
/// labels  (n) or (n, 1): text or numbers
Classes encode_classes(const TensorView& labels);
/// Fits of classes (m, K) as probabilities. A local polynomial may leave [0, 1]: values below 0 become 0, and such a
/// row is divided by its sum.
TensorView class_probabilities(const TensorView& fit);
/// The class with the largest probability in each row, the first of equals; rows of NaN or zeros give "" or NaN (for
/// integers the result is then f64).
TensorView likeliest_classes(const TensorView& probabilities, const Classes& classes);

}  // namespace attn
