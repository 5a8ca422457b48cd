#pragma once
// Preparing samples: missing values, scales, classes.

#include <attn/regression/nadaraya_watson.hpp>

#include <string>
#include <vector>

namespace ATTN_API attn {

/// Treatment of NaN in the samples and of missing labels (attn::is_missing).
enum class MissingValues : std::uint8_t {
  error,  ///< Error(data) that names the first row
  nan,    ///< NaN in y gives NaN in every fit in which it has weight; NaN in x and as a label is still an error
  omit    ///< a row with NaN in any column of x, y or the weights is omitted from all of them
};

/// The remaining rows, ascending. Throws Error(data) that names tensor and row, and if row counts differ.
std::vector<std::size_t> complete_rows(const Samples& samples, MissingValues missing);

/// These rows of x, y and weights, in the order given.
Samples rows_of(const Samples& samples, const std::vector<std::size_t>& rows);

/// Mean and standard deviation of each column. The mean is origin + offset, where origin is one of the samples: near
/// them, x - origin loses no digits, however far they are from 0.
struct Standardisation {
  std::vector<double> origin, offset, deviation;
  std::vector<std::size_t> numbers;  ///< the columns of numbers; those of categories stay as they are
  /// (x - origin - offset) / deviation, (rows, d).
  TensorView apply(const TensorView& x) const;
  /// Derivatives (..., d), f64, by the original columns of numbers from those by standardised ones: divided by the
  /// deviations.
  TensorView slopes(const TensorView& derivative) const;
};
/// Throws Error(data) that names a constant column or a row that is not finite.
Standardisation standardisation_of(const TensorView& x, const std::vector<Category>& categories = {});

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

/// fit -+ z se, z the two-sided quantile of the normal distribution at the level: (m, 2), or (m, 2 C): lower, upper.
/// is_probability: limits the band to [0, 1].
/// throws Error(usage) unless 0 < level < 1
TensorView confidence_band(const TensorView& fit, const TensorView& standard_error, double level,
                           bool is_probability = false);

}  // namespace attn
