#pragma once
// Reading the columns of x and of queries, of which some may hold categories.

#include "cli/inputs.hpp"
#include "cli/options/names.hpp"

#include <attn/regression/predictors.hpp>

#include <string>

namespace nwreg {

/// Reads the word of --ordered, NAME or NAME=LOW,...,HIGH. Throws Error(usage).
attn::OrderedColumn parse_ordered(const std::string& word);

/// The name of the first column, else of the tensor, else of the option.
std::string axis_label(const cli::Input& input, const cli::Names& names);

struct NamedPredictors : attn::Predictors {
  std::string label;  ///< of the first column of numbers, in pictures
};
NamedPredictors read_predictors(const cli::Input& input, cli::Inputs& inputs);

}  // namespace nwreg
