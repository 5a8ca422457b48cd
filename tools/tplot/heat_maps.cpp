#include "tplot/draw.hpp"

#include <attn/core/error.hpp>

namespace tplot {
namespace {

using attn::TensorView;

/// Indices of matrix number `panel` along the leading axes: "1, 3".
std::string place_of(std::size_t panel, const attn::Shape& shape) {
  std::string text;
  for (std::size_t axis = shape.size() - 2; axis-- > 0; panel /= shape[axis])
    text = std::to_string(panel % shape[axis]) + (text.empty() ? "" : ", ") + text;
  return text;
}

/// The matrices of one input, each in a panel. title: of the input; empty if it is the only one.
void append_panels(std::vector<cli::HeatMap>& maps, const Drawn& input, const std::string& title) {
  const TensorView& y = input.tensor;
  const TensorView matrices = y.rank() >= 2 ? y : attn::reshaped(attn::contiguous(y), {1, y.size()});
  const std::size_t rows = matrices.shape[matrices.rank() - 2], columns = matrices.shape[matrices.rank() - 1];
  const std::size_t panels = rows * columns > 0 ? matrices.size() / (rows * columns) : 0;
  constexpr std::size_t most = 64;
  if (panels == 0) throw attn::shape_error(y.name, y.shape, "something to draw");
  if (maps.size() + panels > most)
    throw attn::shape_error(y.name, y.shape, "at most " + std::to_string(most) + " matrices", "pick a part of it");
  const std::vector<double> values = cli::numbers_of(matrices);
  for (std::size_t p = 0; p < panels; ++p) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(p * rows * columns);
    const std::string place = panels > 1 ? place_of(p, matrices.shape) : "";
    const bool has_names = y.rank() >= 2 && input.names.columns.size() == columns;
    maps.push_back({title + (title.empty() || place.empty() ? "" : ": ") + place,
                    rows,
                    columns,
                    {first, first + static_cast<std::ptrdiff_t>(rows * columns)},
                    {},
                    has_names ? input.names.columns : std::vector<std::string>{}});
  }
}

}  // namespace

void draw_heat_map(const Options& o, const std::vector<Drawn>& inputs, cli::Session& session) {
  std::vector<cli::HeatMap> maps;
  const std::vector<std::string> titles = names_apart(inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) append_panels(maps, inputs[i], inputs.size() > 1 ? titles[i] : "");
  for (cli::HeatMap& map : maps) {
    if (o.row_labels.given()) map.row_names = read_labels(o.row_labels, map.rows, "rows", session.inputs);
    if (o.column_labels.given())
      map.column_names = read_labels(o.column_labels, map.columns, "columns", session.inputs);
  }
  // Heads side by side, a row for each sequence of the batch.
  constexpr std::size_t most_across = 8;
  const TensorView& y = inputs[0].tensor;
  const std::size_t last = inputs.size() == 1 && y.rank() > 3 ? y.shape[y.rank() - 3] : 0;
  cli::draw_heat_maps(maps, last <= most_across ? last : 0, o.picture, session);
}

}  // namespace tplot
