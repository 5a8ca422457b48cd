#pragma once
// The names of a tensor and its columns in a picture.

#include "cli/session.hpp"

#include <string>
#include <vector>

namespace cli {

struct Names {
  std::string tensor;                ///< of its only column, else of its dataset or its file; none for a literal
  std::string file;                  ///< without folder and suffix; none for a literal and standard input
  std::vector<std::string> columns;  ///< of the last axis; empty: no names
  std::vector<bool> are_dates;       ///< which of them are days, read from dates; empty: none
};
/// tensor: as read from the input.
Names names_of(const Input& input, const attn::TensorView& tensor, Inputs& inputs);

/// The queries, whose columns are found by the names `wanted` in any order and among others, unless the operand chooses
/// columns. Throws Error(data) that lists those that are missing; `of`: whose names they are.
Input columns_beside(const std::vector<std::string>& wanted, const std::string& of, Input queries, Session& session);

/// Throws Error(data) if both inputs are times and count them in different units.
void require_one_time(const Input& a, const Input& b, Inputs& inputs);

}  // namespace cli
