#pragma once
// The kinds of pictures. Each reads the other operands and draws.

#include "tplot/inputs.hpp"

namespace tplot {

void draw_curves(const Options& o, const std::vector<Drawn>& inputs, cli::Session& session);
void draw_scatter(const Options& o, const std::vector<Drawn>& inputs, cli::Session& session);
void draw_histogram(const Options& o, const std::vector<Drawn>& inputs, cli::Session& session);
void draw_heat_map(const Options& o, const std::vector<Drawn>& inputs, cli::Session& session);

}  // namespace tplot
