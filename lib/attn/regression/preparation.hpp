#pragma once
// What happens to samples before they are regressed: missing values, scales, classes.

#include <attn/regression/nadaraya_watson.hpp>

#include <string>
#include <vector>

namespace ATTN_API attn {

/// What becomes of NaN in the samples, and of labels that are missing (attn::is_missing).
enum class MissingValues : std::uint8_t {
  error,  ///< Error(data) naming the first row
  nan,    ///< NaN in y makes NaN of every fit that it has weight in; NaN in x and for a label is still an error
  omit    ///< a row with NaN in any column of x, y or the weights is left out of all of them
};

/// The rows that stay, ascending. Throws Error(data) naming tensor and row, and when row counts differ.
std::vector<std::size_t> complete_rows(const Samples& samples, MissingValues missing);

/// These rows of x, y and weights, in the order given.
Samples rows_of(const Samples& samples, const std::vector<std::size_t>& rows);

/// Mean and standard deviation of each column. The mean is origin + offset, origin one of the samples: near them
/// x - origin costs no digits, however far they lie from 0.
struct Standardisation {
  std::vector<double> origin, offset, deviation;
  /// (x - origin - offset) / deviation, (rows, d).
  TensorView apply(const TensorView& x) const;
  /// Derivatives (..., d), f64, by standardised columns as those by the columns themselves: divided by the deviations.
  TensorView slopes(const TensorView& derivative) const;
};
/// Throws Error(data) naming the column that is constant or the row that is not finite.
Standardisation standardisation_of(const TensorView& x);

/// Classes as numbers: one column for each, 1 where a row belongs to it.
struct Classes {
  TensorView names;    ///< (K), of the dtype of the labels, ascending
  TensorView one_hot;  ///< (n, K), f64
};
/// labels  (n) or (n, 1): text or numbers
Classes encode_classes(const TensorView& labels);
/// Fits of classes (m, K) as probabilities. A local polynomial may leave [0, 1]: what is below 0 becomes 0, and such a
/// row is divided by its sum.
TensorView class_probabilities(const TensorView& fit);
/// The class of the largest probability in each row, the first of equal ones; rows of NaN or of nothing but 0 give ""
/// or NaN (integers: the result is f64 then).
TensorView likeliest_classes(const TensorView& probabilities, const Classes& classes);

/// fit -+ z se, z the two-sided quantile of the normal distribution at the level: (m, 2), or (m, 2 C): lower, upper.
/// is_probability: cut off at 0 and 1.
/// throws Error(usage) unless 0 < level < 1
TensorView confidence_band(const TensorView& fit, const TensorView& standard_error, double level,
                           bool is_probability = false);

}  // namespace attn
