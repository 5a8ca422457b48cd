#pragma once
// The meaning of the two operands.

#include "cli/inputs.hpp"
#include "tdiff/attributes.hpp"
#include "tdiff/matching.hpp"
#include "tdiff/options.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace tdiff {

/// The tensors of the file or group that operand A (0) or B (1) names; nothing if it names one tensor or a part.
std::optional<Collection> collection_of(const Options& o, std::size_t side, cli::Inputs& inputs);

/// The dtype of the tensor of an operand, before it is read.
attn::DType dtype_of(const std::string& text, cli::Inputs& inputs);

/// A tensor, named after its part.
attn::TensorView called(const attn::TensorView& x, const std::string& slab);

/// The tensor of operand A (0) or B (1).
attn::TensorView read_operand(const Options& o, std::size_t side, std::optional<attn::DType> beside,
                              cli::Inputs& inputs);

/// The names by which columns of operand A (0) or B (1) are matched.
std::vector<std::string> names_to_match(const Options& o, std::size_t side, cli::Inputs& inputs);

/// The dataset of an operand; nothing for a literal.
std::optional<Place> place_of(const std::string& text, cli::Inputs& inputs);

/// Null for a literal.
attn::Source* source_of(const std::string& text, cli::Inputs& inputs);

}  // namespace tdiff
