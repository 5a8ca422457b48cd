#include "nwreg/plot.hpp"

#include <attn/core/error.hpp>

namespace nwreg {
namespace {

using attn::Error;
using attn::ErrorKind;

std::string label_of(const PreparedSamples& data, std::size_t j) {
  return data.x_names.size() == 2 ? data.x_names[j] : "column " + std::to_string(j);
}

}  // namespace

void add_plot_options(cli::Command& command, Plot& plot) {
  command.group("Pictures");
  command.changes(cli::Effect::nothing);
  command.option("--plot", plot.fit_file,
                 "FILE: draw samples, fit and confidence band; .png, .svg, .pdf or - for the terminal");
  command.option("--plot-weights", plot.weights_file,
                 "FILE: draw the weights of the samples for each query as a heat map");
  command.option("--plot-kernel", plot.kernel_file, "FILE: draw the kernel of --kernel, or all kernels");
  command.option("--plot-size", plot.size,
                 "SIZE: width and height of pictures: 800x500 pixels or, on the terminal, characters");
  command.changes(cli::Effect::numbers);
}

void Plot::check(const PreparedSamples& data, Shown shown, bool overwrite) const {
  for (const std::string& file : {fit_file, weights_file, kernel_file})
    if (!file.empty()) cli::expect_picture({file, "", "", "", size, overwrite});
  if (fit_file.empty()) return;
  const std::size_t numbers = data.columns() - data.samples.categories.size(), outputs = data.output_names().size();
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorKind::usage, "--plot", why, "use tplot for what was computed");
  };
  if (numbers != 1 && (numbers != 2 || data.categories))
    refuse("draws one column of numbers, with or without categories, or two without, x has " + std::to_string(numbers));
  if ((numbers == 2 || data.categories) && outputs > 1)
    refuse("draws one column of y " + std::string(data.categories ? "by categories" : "over two columns of x") +
           ", y has " + std::to_string(outputs));
  if (numbers == 2 && (shown.derivative || shown.leave_one_out)) refuse("draws the fit alone over two columns of x");
  if (data.samples.x.shape[0] == 0) throw Error(ErrorKind::data, "--plot", "there are no samples to draw");
  const std::vector<double> table = cli::numbers_of(data.samples.x);
  for (std::size_t j = 0; numbers == 2 && j < 2; ++j) {
    bool is_constant = true;
    for (std::size_t at = j; at < table.size(); at += 2) is_constant = is_constant && table[at] == table[j];
    if (is_constant)
      throw Error(ErrorKind::data, "--plot",
                  "draws contours over two columns of x, and " + label_of(data, j) + " is constant", "drop the column");
  }
}

void Plot::draw(const PreparedSamples& data, const std::shared_ptr<const attn::KernelRegression>& regression,
                const attn::Smoother& smoother, double level, Shown shown, bool overwrite,
                cli::Session& session) const {
  const std::string x_label = data.x_label + (data.scales ? " (standardized)" : "");
  const std::string y_label = data.classes                             ? "probability"
                              : data.value_names.size() > 1            ? ""
                              : shown.derivative && data.y_label != "" ? "derivative of " + data.y_label
                                                                       : data.y_label;
  if (!fit_file.empty() && data.columns() - data.samples.categories.size() == 2) {
    const auto label = [&](std::size_t j) { return label_of(data, j) + (data.scales ? " (standardized)" : ""); };
    draw_surface(data, *regression, smoother, {fit_file, data.y_label, label(0), label(1), size, overwrite}, session);
  } else if (!fit_file.empty()) {
    draw_fit(data, *regression, smoother, level, shown, {fit_file, "", x_label, y_label, size, overwrite}, session);
  }
  if (!weights_file.empty())
    draw_weights(data, regression, smoother,
                 {weights_file, "", "samples by " + x_label, "queries by " + x_label, size, overwrite}, session);
  if (!kernel_file.empty()) draw_kernels(smoother, overwrite, session);
}

}  // namespace nwreg
