#pragma once
// What tplot can be asked for.

#include "cli/picture.hpp"
#include "cli/session.hpp"

namespace tplot {

struct Options {
  cli::Input input{std::vector<std::string>{"y", "x"}};
  bool heat_map = false, curves = false, scatter = false, histogram = false;
  cli::OptionalInput x{"x"}, fit{"y"}, fit_x{"q"}, band{"band"}, row_labels{"rows"}, column_labels{"columns"};
  std::size_t bins = 0;
  cli::PictureOptions picture;
};

void declare(cli::Command& command, Options& options);

/// Throws Error(usage) for options that exclude each other.
void check(const Options& options);

enum class Kind { heat_map, curves, scatter, histogram };

/// The kind that was asked for, or what suits the shape: curves for one column, else a heat map. Throws Error(data) for
/// text.
Kind kind_of(const Options& options, const attn::TensorView& y);

}  // namespace tplot
