#pragma once
// The tensors to draw and what they are called.

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

/// All inputs. Throws Error(data) for text, Error(usage) for the name of a picture among further inputs, which was
/// probably meant as the output.
std::vector<Drawn> read_inputs(const Options& options, cli::Inputs& inputs);

/// Labels that were asked for, one for each row or column (`of`) of the picture; none: they were not. Throws
/// Error(data) for another number of them.
std::vector<std::string> read_labels(const cli::OptionalInput& input, std::size_t count, const char* of,
                                     cli::Inputs& inputs);

/// A name for each input that no other has: its own, with that of its file, or as it was given. A single one may be
/// empty.
std::vector<std::string> names_apart(const std::vector<Drawn>& inputs);

/// The same for each column of all inputs, in order; numbers for columns of a single input without names.
std::vector<std::string> column_names_apart(const std::vector<Drawn>& inputs);

}  // namespace tplot
