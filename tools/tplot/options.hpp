#pragma once
// Options of tplot.

#include "cli/plots/picture.hpp"
#include "cli/session.hpp"

#include <deque>

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

}  // namespace tplot
