#pragma once
// What a tensor and its columns are called in a picture.

#include "cli/inputs.hpp"

#include <string>
#include <vector>

namespace cli {

struct Names {
  std::string tensor;                ///< that of its only column, else of its dataset or its file; none for a literal
  std::string file;                  ///< without folder and suffix; none for a literal and standard input
  std::vector<std::string> columns;  ///< of the last axis; empty: they have no names
};
/// tensor: as read from the input.
Names names_of(const Input& input, const attn::TensorView& tensor, Inputs& inputs);

}  // namespace cli
