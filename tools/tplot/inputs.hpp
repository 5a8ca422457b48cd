#pragma once
// The tensors to draw and their names.

#include "cli/options/names.hpp"
#include "tplot/options.hpp"

#include <string>
#include <vector>

namespace tplot {

struct Drawn {
  std::string text;  ///< the operand as given
  attn::TensorView tensor;
  cli::Names names;
  /// 1 for a vector.
  std::size_t columns() const { return tensor.rank() < 2 ? 1 : tensor.shape.back(); }
};

/// All inputs. Throws Error(data) for text, Error(usage) if a further input has the name of a picture, which was
/// probably meant as the output.
std::vector<Drawn> read_inputs(const Options& options, cli::Inputs& inputs);

/// The given ones of an option that may be repeated.
std::vector<Drawn> read_all(const std::deque<cli::OptionalInput>& given, cli::Inputs& inputs);

/// The given labels, one for each row or column (`of`) of the picture; none if not given. Throws Error(data) for a
/// wrong number of labels.
std::vector<std::string> read_labels(const cli::OptionalInput& input, std::size_t count, const char* of,
                                     cli::Inputs& inputs);

/// A unique name for each input: its own, with that of its file, or the operand as given. A single name may be empty.
std::vector<std::string> names_apart(const std::vector<Drawn>& inputs);

/// The same for each column of all inputs, in order; numbers for the columns of a single input without names.
std::vector<std::string> column_names_apart(const std::vector<Drawn>& inputs);

}  // namespace tplot
