#include "cli/numbers.hpp"
#include "tmerge/parts.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tmerge {

using attn::Error;
using attn::ErrorKind;

void finish_regression(const Options& o, const cli::PartFile& part, const attn::StateNode& root,
                       cli::Session& session) {
  const attn::StateFinish finish = cli::finish_of(part);
  const attn::Attributes& more = part.head().more;
  const std::size_t m = finish.shape.front(), outputs = root.output.shape().back() / 2;
  attn::Tensor fits(attn::DType::f64, finish.shape), errors(attn::DType::f64, finish.shape),
      sizes(attn::DType::f64, {m});
  const auto *weight = root.total.view().contiguous_data<double>(), *square = weight + m,
             *values = root.output.view().contiguous_data<double>();
  const double empty = finish.empty == attn::EmptyRows::zero ? 0 : std::numeric_limits<double>::quiet_NaN();
  std::size_t empty_windows = 0;
  for (std::size_t q = 0; q < m; ++q) {
    const bool is_empty = weight[q] == 0;
    const double size = is_empty ? std::numeric_limits<double>::quiet_NaN() : weight[q] / square[q] * weight[q];
    sizes.data_as<double>()[q] = size;
    empty_windows += is_empty ? 1 : 0;
    for (std::size_t c = 0; c < outputs; ++c) {
      const double mean = is_empty ? empty : values[2 * q * outputs + c] / weight[q];
      const double variance = values[(2 * q + 1) * outputs + c] / weight[q] - mean * mean;
      fits.data_as<double>()[q * outputs + c] = mean;
      errors.data_as<double>()[q * outputs + c] =
          is_empty ? std::numeric_limits<double>::quiet_NaN() : std::sqrt((variance < 0 ? 0 : variance) / size);
    }
  }
  if (empty_windows > 0 && finish.empty == attn::EmptyRows::error)
    throw Error(ErrorKind::data, "queries", std::to_string(empty_windows) + " have no sample in reach",
                "take a larger bandwidth or another rule for empty windows");
  if (empty_windows > 0)
    session.report.note(std::to_string(empty_windows) + " of " + std::to_string(m) +
                        " queries have no sample in reach: their result is " + (empty == 0 ? "0" : "NaN"));
  const auto as_written = [&](const attn::TensorView& x) { return attn::cast(x, finish.stored); };
  attn::Attributes attributes;
  for (const char* name : {"kernel", "degree", "scale-convention", "bandwidth"})
    if (const auto found = more.find(name); found != more.end()) attributes.insert(*found);
  std::vector<cli::Result> results{{"", as_written(fits.view()), attributes}};
  if (o.output.wants("se")) results.push_back({"se", as_written(errors.view())});
  if (o.output.wants("band")) {
    const double level = attn::elements_of<double>(more.at("level")).front();
    results.push_back({"band", as_written(attn::confidence_band(fits.view(), errors.view(), level, false))});
    if (outputs == 1)
      results.back().attributes["columns"] = attn::vector_of(std::vector<std::string>{"lower", "upper"});
  }
  if (o.output.wants("neff")) results.push_back({"neff", as_written(sizes.view())});
  session.write(o.output, results);
}

void finish_criterion(const Options& o, const cli::PartFile& part, const attn::StateNode& root, cli::Session& session) {
  const std::vector<double> widths = attn::elements_of<double>(part.head().more.at("widths"));
  const attn::Shape& shape = root.total.shape();  // (1, C, widths)
  const auto *loss = root.output.view().contiguous_data<double>(),
             *weight = root.total.view().contiguous_data<double>();
  attn::Tensor curve(attn::DType::f64, {widths.size(), 3});
  for (std::size_t at = 0; at < widths.size(); ++at) {
    double criterion = 0;
    for (std::size_t c = 0; c < shape[1]; ++c)
      criterion += loss[c * widths.size() + at] / weight[c * widths.size() + at];
    double* row = curve.data_as<double>() + 3 * at;
    row[0] = widths[at];
    row[1] = criterion;
    row[2] = 1;
  }
  const std::optional<std::size_t> best = attn::least_of_curve(curve.view());
  if (!best)
    throw Error(ErrorKind::data, "bandwidth", "no width of the grid has a finite criterion", "give the bandwidth");
  session.report.note("bandwidth " + cli::number_text(widths[*best], 9) +
                      " chosen by cv (cv = " + cli::number_text(curve.data_as<double>()[3 * *best + 1], 8) + ")");
  session.write(o.output, {{"bandwidth", attn::scalar_of(widths[*best])},
                           {"bandwidth-curve",
                            curve.view(),
                            {{"columns", attn::vector_of(std::vector<std::string>{"bandwidth", "cv", "exact"})}}}});
}

}  // namespace tmerge
