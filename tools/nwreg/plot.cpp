#include "nwreg/plot.hpp"

#include <attn/core/error.hpp>

namespace nwreg {
namespace {

using attn::Error;
using attn::ErrorKind;

}  // namespace

void add_plot_options(cli::Command& command, Plot& plot) {
  command.group("Pictures").with_provenance(false);
  command.option("--plot", plot.fit_file,
                 "FILE: draw samples, fit and confidence band; .png, .svg, .pdf or - for the terminal");
  command.option("--plot-weights", plot.weights_file,
                 "FILE: draw the weights of the samples for each query as a heat map");
  command.option("--plot-kernel", plot.kernel_file, "FILE: draw the kernel of --kernel, or all kernels");
  command.option("--plot-size", plot.size,
                 "SIZE: width and height of pictures: 800x500 pixels or, on the terminal, characters");
  command.with_provenance(true);
}

void Plot::check(const PreparedSamples& data, bool overwrite) const {
  for (const std::string& file : {fit_file, weights_file, kernel_file})
    if (!file.empty()) cli::expect_picture({file, "", "", "", size, overwrite});
  if (fit_file.empty()) return;
  if (data.categories)
    throw Error(ErrorKind::usage, "--plot", "draws one column of numbers against y, and x has categories",
                "use tplot for what was computed");
  const std::size_t d = data.samples.x.rank() == 2 ? data.samples.x.shape[1] : 1;
  if (d != 1)
    throw Error(ErrorKind::usage, "--plot", "draws one column of x against y, x has " + std::to_string(d),
                "use tplot for what was computed");
  if (data.samples.x.shape[0] == 0) throw Error(ErrorKind::data, "--plot", "there are no samples to draw");
}

void Plot::draw(const PreparedSamples& data, const std::shared_ptr<const attn::KernelRegression>& regression,
                const attn::Smoother& smoother, double level, Shown shown, bool overwrite,
                cli::Session& session) const {
  const std::string x_label = data.x_label + (data.scales ? " (standardized)" : "");
  const std::string y_label = data.classes                             ? "probability"
                              : data.value_names.size() > 1            ? ""
                              : shown.derivative && data.y_label != "" ? "derivative of " + data.y_label
                                                                       : data.y_label;
  if (!fit_file.empty())
    draw_fit(data, *regression, smoother, level, shown, {fit_file, "", x_label, y_label, size, overwrite}, session);
  if (!weights_file.empty())
    draw_weights(data, regression, smoother,
                 {weights_file, "", "samples by " + x_label, "queries by " + x_label, size, overwrite}, session);
  if (!kernel_file.empty()) draw_kernels(smoother, overwrite, session);
}

}  // namespace nwreg
