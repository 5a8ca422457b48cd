// The picture of the weights: queries down, samples across.

#include "nwreg/plot.hpp"

#include <attn/core/shape.hpp>
#include <attn/regression/weights.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace nwreg {
namespace {

using attn::TensorView;

// Up to `most` indices, spaced evenly in the sorted order of x.
std::vector<std::size_t> spread(const std::vector<double>& x, std::size_t most) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  if (order.size() <= most) return order;
  std::vector<std::size_t> picked(most);
  for (std::size_t i = 0; i < most; ++i) picked[i] = order[i * order.size() / most];
  return picked;
}

std::string four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace

void Plot::draw_weights(const PreparedSamples& data, const std::shared_ptr<const attn::KernelRegression>& regression,
                        const attn::Smoother& smoother, const cli::PictureOptions& picture,
                        cli::Session& session) const {
  // Queries down, samples across, both sorted by the first coordinate; large sets are thinned.
  const auto first_column = [](const TensorView& table) {
    const std::vector<double> all = cli::numbers_of(table);
    const std::size_t width = table.rank() == 2 ? table.shape[1] : 1;
    std::vector<double> column;
    for (std::size_t i = 0; i < all.size(); i += width) column.push_back(all[i]);
    return column;
  };
  const TensorView& queries = data.queries ? *data.queries : data.samples.x;
  const std::vector<double> query_places = first_column(queries), sample_places = first_column(data.samples.x);
  const std::vector<std::size_t> rows = spread(query_places, most_shown), columns = spread(sample_places, most_shown);
  const TensorView shown = queries.rank() == 0 ? queries : attn::rows_of(queries, rows);
  const attn::TensorProducer producer = attn::dense_weights(regression, shown, smoother, false, session.execution());
  const std::size_t samples = regression->size(), none = columns.size();
  std::vector<std::size_t> places(samples, none);  // column of each sample that is shown
  for (std::size_t c = 0; c < columns.size(); ++c) places[columns[c]] = c;
  cli::HeatMap map{"", rows.size(), columns.size(), std::vector<double>(rows.size() * columns.size()), {}, {}};
  for (const std::size_t row : rows) map.row_names.push_back(four_digits(query_places[row]));
  for (const std::size_t column : columns) map.column_names.push_back(four_digits(sample_places[column]));
  std::size_t seen = 0;
  producer.produce([&](const void* bytes, std::size_t count) {
    const auto* weight = static_cast<const double*>(bytes);
    for (const double* const end = weight + count / sizeof(double); weight < end; ++weight, ++seen)
      if (const std::size_t place = places[seen % samples]; place != none)
        map.values[seen / samples * map.columns + place] = *weight;
  });
  // The weights for a NaN query are 0, since nothing was computed.
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (std::isnan(query_places[rows[r]]))
      std::fill_n(map.values.begin() + static_cast<std::ptrdiff_t>(r * map.columns), map.columns, NAN);
  cli::draw_heat_maps({map}, 1, picture, session);
}

}  // namespace nwreg
