#include "cli/plots/picture.hpp"

#include "cli/plots/gnuplot.hpp"
#include "cli/results/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cli {

std::vector<double> numbers_of(const attn::TensorView& x) {
  const attn::TensorView f64 = attn::cast(x, attn::DType::f64);
  const double* first = f64.contiguous_data<double>();
  return {first, first + f64.size()};
}

std::vector<std::string> labels_of(const attn::TensorView& x) {
  if (x.dtype == attn::DType::string) {
    const attn::TensorView text = attn::contiguous(x);
    const auto* first = text.contiguous_data<std::string>();
    return {first, first + text.size()};
  }
  const attn::TensorView flat = attn::reshaped(attn::contiguous(x), {x.size()});
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < flat.size(); ++i) labels.push_back(shortest(attn::element(flat, i)));
  return labels;
}

void sort_by_x(Series& s) {
  std::vector<std::size_t> order(s.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return s.x[a] < s.x[b] || (!std::isnan(s.x[a]) && std::isnan(s.x[b]));
  });
  const auto arrange = [&](std::vector<double>& values) {
    std::vector<double> sorted;
    for (const std::size_t i : order) sorted.push_back(values[i]);
    values.swap(sorted);
  };
  arrange(s.x);
  arrange(s.y);
  if (!s.upper.empty()) arrange(s.upper);
}

std::vector<Series> histograms_of(const std::vector<std::vector<double>>& sets, std::size_t bins, bool log_x) {
  // On a logarithmic axis, bins are computed from logarithms.
  const auto place = [log_x](double value) { return log_x ? std::log10(value) : value; };
  const auto value_at = [log_x](double at) { return log_x ? std::pow(10, at) : at; };
  std::vector<double> places;
  for (const std::vector<double>& set : sets)
    for (const double value : set)
      if (std::isfinite(place(value))) places.push_back(place(value));
  expect_something(!places.empty(), log_x ? "above 0" : "a finite number");
  std::sort(places.begin(), places.end());
  const double n = static_cast<double>(places.size());
  double low = places.front(), high = places.back();
  if (!log_x) expect_drawable(low, high);
  if (bins == 0) {
    const double quartiles = places[places.size() * 3 / 4] - places[places.size() / 4];
    const double width = 2 * quartiles / std::cbrt(n), sturges = std::ceil(std::log2(n) + 1);
    const double suitable = width > 0 ? std::clamp(std::ceil((high - low) / width), sturges, 200.0) : sturges;
    bins = static_cast<std::size_t>(suitable);
    // Few integers: one bar each.
    const bool are_whole =
        !log_x && std::all_of(places.begin(), places.end(), [](double value) { return value == std::floor(value); });
    if (are_whole && low < high && high - low < std::max(30.0, suitable)) {
      bins = static_cast<std::size_t>(high - low) + 1;
      low -= 0.5;
      high += 0.5;
    }
  }
  if (low == high) {
    bins = 1;
    const double around = log_x ? 0.5 : std::max(0.5, 5e-7 * std::abs(low));
    low -= around;
    high += around;
  }
  // The difference of the ends may overflow.
  const auto edge = [&](std::size_t bin) {
    const double share = static_cast<double>(bin) / static_cast<double>(bins);
    return value_at(low * (1 - share) + high * share);
  };
  Series bars;
  bars.style = Series::Style::bars;
  bars.y.assign(bins, 0.0);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    bars.x.push_back(edge(bin) / 2 + edge(bin + 1) / 2);
    bars.widths.push_back(edge(bin + 1) - edge(bin));
  }
  const double width = high / static_cast<double>(bins) - low / static_cast<double>(bins);
  std::vector<Series> all(sets.size(), bars);
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (const double value : sets[i])
      if (const double at = place(value); std::isfinite(at))
        ++all[i].y[std::min(bins - 1, static_cast<std::size_t>(at / width - low / width))];
  return all;
}

}  // namespace cli
