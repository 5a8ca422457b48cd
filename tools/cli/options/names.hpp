#pragma once
// The names of a tensor and its columns in a picture.

#include "cli/session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

/// An axis of a tensor, or of a part of it that was read.
struct Axis {
  std::string name;                  ///< of its dimension scale; mostly none
  std::size_t place = 0;             ///< among all axes of the whole tensor
  std::int64_t first = 0, step = 1;  ///< of the indices in the whole tensor
};

struct Names {
  std::string tensor;                ///< of its only column, else of its dataset or its file; none for a literal
  std::string file;                  ///< without folder and suffix; none for a literal and standard input
  std::vector<std::string> columns;  ///< of the last axis; empty: no names
  std::vector<bool> are_dates;       ///< which of them are days, read from dates; empty: none
  std::string dataset;               ///< path in the file
  std::vector<Axis> axes;            ///< empty: those of a literal, or of text
  std::size_t rank = 0;              ///< axes of the whole tensor
};
/// tensor: as read from the input.
Names names_of(const Input& input, const attn::TensorView& tensor, Inputs& inputs);

/// The queries, whose columns are found by the names `wanted` in any order and among others, unless the operand chooses
/// columns. Throws Error(data) that lists those that are missing; `of`: whose names they are.
Input columns_beside(const std::vector<std::string>& wanted, const std::string& of, Input queries, Session& session);

/// Throws Error(data) if both inputs are times and count them in different units; a note says how plain numbers beside
/// times are taken.
void require_one_time(const Input& a, const Input& b, Session& session);

}  // namespace cli
