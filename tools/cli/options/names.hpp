#pragma once
// The names of a tensor and its columns in a picture.

#include "cli/inputs.hpp"

#include <string>
#include <vector>

namespace cli {

struct Names {
  std::string tensor;                ///< of its only column, else of its dataset or its file; none for a literal
  std::string file;                  ///< without folder and suffix; none for a literal and standard input
  std::vector<std::string> columns;  ///< of the last axis; empty: no names
};
/// tensor: as read from the input.
Names names_of(const Input& input, const attn::TensorView& tensor, Inputs& inputs);

}  // namespace cli
