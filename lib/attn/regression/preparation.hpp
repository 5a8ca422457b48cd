#pragma once
// Preparing samples: missing values and scales.

#include <attn/regression/nadaraya_watson.hpp>

#include <vector>

namespace ATTN_API attn {

/// Treatment of NaN in the samples and of missing labels (attn::is_missing).
enum class MissingValues : std::uint8_t {
  error,  ///< Error(data) that names the first row
  nan,    ///< NaN in y gives NaN in every fit in which it has weight; NaN in x and as a label is still an error
  omit    ///< a row with NaN in any column of x, y or the weights is omitted from all of them
};

/// Throws Error(data) that names the first row with NaN or without a label; a tensor without a name is called
/// `fallback`.
void refuse_missing(const TensorView& tensor, const char* fallback);

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

}  // namespace attn
