#pragma once
// Pictures of a regression: the samples with fit and band, the weights as a heat map, the kernels.

#include "cli/plots/picture.hpp"
#include "nwreg/smoother.hpp"

namespace nwreg {

/// What the result is, and --plot draws.
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

  /// --plot-kernel, of the kernel that --kernel names or of all, under the convention.
  void draw_kernels(const attn::Smoother& smoother, bool overwrite, cli::Session& session) const;
  /// Throws Error(usage) for a fit in more than one dimension, Error(data) for one of no samples.
  void check(const PreparedSamples& data, bool overwrite) const;
  /// All pictures that were asked for. level: of the band.
  void draw(const PreparedSamples& data, const std::shared_ptr<const attn::KernelRegression>& regression,
            const attn::Smoother& smoother, double level, Shown shown, bool overwrite, cli::Session& session) const;

 private:
  static constexpr std::size_t most_shown = 400;  // places of a curve, rows and columns of weights

  void draw_fit(const PreparedSamples& data, const attn::KernelRegression& regression, const attn::Smoother& smoother,
                double level, Shown shown, const cli::PictureOptions& picture, cli::Session& session) const;
  void draw_weights(const PreparedSamples& data, const std::shared_ptr<const attn::KernelRegression>& regression,
                    const attn::Smoother& smoother, const cli::PictureOptions& picture, cli::Session& session) const;
};
void add_plot_options(cli::Command& command, Plot& plot);

}  // namespace nwreg
