#pragma once
// The columns of x and of queries, of which some may hold categories.

#include "cli/inputs.hpp"
#include "cli/options/names.hpp"

#include <attn/regression/nadaraya_watson.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nwreg {

/// --ordered NAME or NAME=LOW,...,HIGH.
struct OrderedColumn {
  std::string name;
  std::vector<std::string> levels;  ///< empty: numbers, in their order
};

struct CategoryOptions {
  std::vector<std::string> categorical;  ///< names of columns
  std::vector<OrderedColumn> ordered;
};
/// Reads the word of --ordered. Throws Error(usage).
OrderedColumn parse_ordered(const std::string& word);

/// Columns as they were read.
struct Predictors {
  std::vector<attn::TensorView> parts;  ///< (n) or (n, k), of numbers or of text, next to each other
  std::vector<std::string> names;       ///< of the columns; empty if the input has none
  std::string label;                    ///< of the first column of numbers, in pictures
};
/// The name of the first column, else of the tensor, else of the option.
std::string axis_label(const cli::Input& input, const cli::Names& names);
Predictors read_predictors(const cli::Input& input, cli::Inputs& inputs);

/// What the categories of the samples are called.
class Categories {
 public:
  /// Those of text, and those that the options name. Throws Error(usage) for a name that no column has, Error(data) for
  /// values that --ordered does not list.
  Categories(const Predictors& x, const CategoryOptions& options);

  bool empty() const noexcept { return columns_.empty(); }
  const std::vector<attn::Category>& columns() const noexcept { return columns_; }
  /// "sex", or "column 1".
  const std::string& name(std::size_t column) const { return names_[column]; }

  /// (n) or (n, d): numbers as they are and codes of categories, NaN for a missing one. Throws Error(data) that names a
  /// category that the samples do not have.
  attn::TensorView encode(const Predictors& predictors) const;

 private:
  const attn::Category* at(std::size_t column) const;

  std::vector<attn::Category> columns_;
  std::vector<std::vector<std::string>> levels_;  // of each of columns_
  std::vector<std::string> names_;
};

}  // namespace nwreg
