#pragma once
// Columns of x and of queries as they were read: numbers, and words or numbers that are categories; samples with
// missing values, scales, and labels of classes.

#include <attn/core/tensor.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <string>
#include <vector>

namespace ATTN_API attn {

/// Columns next to each other.
struct Predictors {
  std::vector<TensorView> parts;   ///< (n) or (n, k), of numbers or of text
  std::vector<std::string> names;  ///< of the columns; empty if they have none
};

/// A column whose categories have an order.
struct OrderedColumn {
  std::string name;
  std::vector<std::string> levels;  ///< empty: numbers, in their order
};

struct CategoryOptions {
  std::vector<std::string> categorical;  ///< names or numbers of columns
  std::vector<OrderedColumn> ordered;
};

/// What the categories of the samples are called.
class CategoryCodes {
 public:
  /// Those of text, and those that the options name. Throws Error(usage) for a name that no column has, Error(data) for
  /// values that --ordered does not list.
  CategoryCodes(const Predictors& x, const CategoryOptions& options);

  bool empty() const noexcept { return columns_.empty(); }
  const std::vector<Category>& columns() const noexcept { return columns_; }
  /// The category of a code in the f-th column of categories.
  const std::string& level(std::size_t f, double code) const { return levels_[f][static_cast<std::size_t>(code)]; }
  /// "sex", or "column 1".
  const std::string& name(std::size_t column) const { return names_[column]; }

  /// (n) or (n, d): numbers as they are and codes of categories, NaN for a missing one. Throws Error(data) that names a
  /// category that the samples do not have.
  TensorView encode(const Predictors& predictors) const;

 private:
  const Category* at(std::size_t column) const;

  std::vector<Category> columns_;
  std::vector<std::vector<std::string>> levels_;  // of each of columns_
  std::vector<std::string> names_;
};

// Preparing samples: missing values and scales.

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

// Classes as numbers: labels become columns of 0 and 1, fits become probabilities, probabilities a class.

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
