// tplot: pictures of tensors.

#include "cli/tool.hpp"
#include "tplot/draw.hpp"

#include <algorithm>

namespace tplot {
namespace {

void run(const Options& given, cli::Session& session) {
  Options o = given;
  if (o.picture.file.empty()) o.picture.file = "-";
  check(o);
  const std::vector<Drawn> inputs = read_inputs(o, session.inputs);
  const bool are_columns = std::all_of(
      inputs.begin(), inputs.end(), [](const Drawn& input) { return input.tensor.rank() < 3 && input.columns() == 1; });
  switch (kind_of(o, are_columns)) {
    case Kind::heat_map: return draw_heat_map(o, inputs, session);
    case Kind::curves: return draw_curves(o, inputs, session);
    case Kind::scatter: return draw_scatter(o, inputs, session);
    case Kind::histogram: return draw_histogram(o, inputs, session);
  }
}

}  // namespace
}  // namespace tplot

ATTN_TOOL("tplot", "pictures of tensors: heat maps, curves, points, histograms", tplot::Options, tplot::declare,
          tplot::run)
