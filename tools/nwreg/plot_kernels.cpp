// The picture of the kernels.

#include "nwreg/plot.hpp"

#include <attn/core/smoothing_kernel.hpp>

#include <algorithm>
#include <cmath>

namespace nwreg {

void Plot::draw_kernels(const attn::Smoother& smoother, bool overwrite, cli::Session& session) const {
  const cli::PictureOptions picture{kernel_file, "", "(q - x) / h", "weight", size, overwrite};
  const bool draws_one = session.was_given("--kernel");
  double extent = 2.5;  // bandwidths
  for (const attn::Kernel kernel : attn::all_kernels())
    extent = std::max(extent, 1.1 * attn::kernel_scale(kernel, smoother.scale_convention));
  std::vector<cli::Series> series;
  for (const attn::Kernel kernel : attn::all_kernels()) {
    if (draws_one ? kernel != smoother.kernel : kernel == attn::Kernel::epanechnikov) continue;
    cli::Series s;
    s.label = std::string(attn::name_of(kernel)) +
              (kernel == attn::Kernel::triangular && !draws_one ? " (epanechnikov)" : "");
    const double scale = attn::kernel_scale(kernel, smoother.scale_convention);
    constexpr int steps = 500;
    for (int i = -steps; i <= steps; ++i) {
      s.x.push_back(extent * i / steps);
      s.y.push_back(attn::kernel_weight(kernel, std::abs(s.x.back() / scale)));
    }
    series.push_back(std::move(s));
  }
  cli::draw_graph(series, picture, session);
}

}  // namespace nwreg
