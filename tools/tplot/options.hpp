#pragma once
// Options of tplot, and the tensors to draw with their names.

#include "cli/options/names.hpp"
#include "cli/plots/picture.hpp"
#include "cli/session.hpp"

#include <deque>
#include <string>
#include <vector>

namespace tplot {

struct Options {
  cli::Input input{std::vector<std::string>{"y", "x"}};
  std::vector<std::string> more;  ///< further inputs, read like the first
  bool heat_map = false, curves = false, scatter = false, histogram = false;
  cli::OptionalInput x{"x"}, fit_x{"q"}, row_labels{"rows"}, column_labels{"columns"};
  std::deque<cli::OptionalInput> fits{cli::OptionalInput("y")}, bands{cli::OptionalInput("band")};
  std::size_t bins = 0;
  cli::PictureOptions picture;
};

void declare(cli::Command& command, Options& options);

/// Throws Error(usage) for options that exclude each other or lack what they need.
void check(const Options& options);

enum class Kind { heat_map, curves, scatter, histogram };

/// The requested kind, else curves if all inputs are one column, else a heat map.
Kind kind_of(const Options& options, bool are_columns);

struct Drawn {
  std::string text;  ///< the operand as given
  attn::TensorView tensor;
  cli::Names names;
  /// 1 for a vector.
  std::size_t columns() const { return tensor.rank() < 2 ? 1 : tensor.shape.back(); }
  /// The indices along an axis, in the whole of which the tensor is a part.
  cli::Numbering numbers_along(std::size_t axis) const {
    return axis < names.axes.size() ? cli::Numbering{names.axes[axis].first, names.axes[axis].step} : cli::Numbering{};
  }
  /// Empty: no name.
  std::string name_of(std::size_t axis) const { return axis < names.axes.size() ? names.axes[axis].name : ""; }
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
