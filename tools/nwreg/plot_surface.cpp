// The picture of a fit over two columns of x.

#include "nwreg/plot.hpp"
#include "nwreg/plot_places.hpp"

namespace nwreg {

void Plot::draw_surface(const PreparedSamples& data, const attn::KernelRegression& regression, attn::Smoother smoother,
                        const cli::PictureOptions& picture, cli::Session& session) const {
  const std::size_t points = picture.file == "-" ? 24 : 80;
  const std::vector<double> table = cli::numbers_of(data.samples.x);
  cli::Surface surface;
  surface.samples_x = column_of(table, 2, 0);
  surface.samples_y = column_of(table, 2, 1);
  surface.x = range_over(surface.samples_x, data.queries, 2, 0, points);
  surface.y = range_over(surface.samples_y, data.queries, 2, 1, points);
  attn::Tensor grid(attn::DType::f64, {points * points, 2});
  for (std::size_t at = 0; at < points * points; ++at) {
    grid.data_as<double>()[2 * at] = surface.x[at % points];
    grid.data_as<double>()[2 * at + 1] = surface.y[at / points];
  }
  if (smoother.empty == attn::EmptyWindow::error) smoother.empty = attn::EmptyWindow::nan;
  surface.z = cli::numbers_of(regression.evaluate(grid.view("grid"), smoother, {}, session.execution()).fit);
  cli::draw_contours(surface, picture, session);
}

}  // namespace nwreg
