#pragma once
// Columns of x and of queries as they were read: numbers, and words or numbers that are categories.

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

}  // namespace attn
