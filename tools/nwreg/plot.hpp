#pragma once
// Pictures of a regression: the samples with fit and band, the weights as a heat map, the kernels.

#include "cli/plots/picture.hpp"
#include "nwreg/band.hpp"
#include "nwreg/smoother.hpp"

namespace nwreg {

struct Fits;

/// The kind of result that --plot draws.
struct Shown {
  bool leave_one_out, derivative;
};

struct Plot {
  std::string fit_file, weights_file, kernel_file;  ///< files, - or empty
  std::string size;

  bool is_for_terminal() const noexcept { return fit_file == "-" || weights_file == "-" || kernel_file == "-"; }

  /// --plot-kernel without samples.
  bool draws_kernels_alone(const SampleOptions& samples) const {
    return !kernel_file.empty() && fit_file.empty() && weights_file.empty() && !samples.x.given() && !samples.y.given();
  }

  /// Draws the kernel of --kernel, or all kernels, in the scale convention.
  void draw_kernels(const attn::Smoother& smoother, bool overwrite, cli::Session& session) const;
  /// Throws Error(usage) for a fit that no picture shows, Error(data) for a fit without samples.
  void check(const PreparedSamples& data, Shown shown, bool overwrite) const;
  /// Draws all requested pictures.
  void draw(const PreparedSamples& data, const Fits& fits, const BandOptions& band, Shown shown, bool overwrite,
            cli::Session& session) const;
};
void add_plot_options(cli::Command& command, Plot& plot);

}  // namespace nwreg
