#include "nwreg/notes.hpp"

#include "cli/numbers.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace nwreg {
namespace {

const char* result_of_empty(const attn::RegressionResult& result, const PreparedSamples& data,
                            const attn::Smoother& smoother) {
  if (smoother.empty == attn::EmptyWindow::nearest && data.samples.x.shape[0] > 0) {
    const auto* fit = result.fit.contiguous_data<double>();
    const auto nans = std::count_if(fit, fit + result.fit.size(), [](double x) { return std::isnan(x); });
    const std::size_t outputs = result.fit.size() / result.fit.shape[0];
    const bool all_are_there = static_cast<std::size_t>(nans) <= result.not_finite * outputs;
    return all_are_there ? "the nearest sample" : "the nearest sample, NaN where none may count";
  }
  if (data.classes) return "no label";
  return smoother.empty == attn::EmptyWindow::zero ? "0" : "NaN";
}

/// The name of a polynomial of degree 1 or 2.
std::string polynomial(std::size_t degree) { return degree == 1 ? "linear" : "quadratic"; }

}  // namespace

void note_selection(const SettledSmoother& settled, const std::string& word, bool was_given, double unit,
                    const PreparedSamples& data, cli::Report& report) {
  const attn::Selection& chosen = *settled.selection;
  const std::size_t degree = settled.smoother.degree;
  std::string widths = attn::listed(chosen.bandwidth.values, ",", [](double h) { return cli::number_text(h, 9); });
  if (widths.empty()) widths = attn::to_string(chosen.bandwidth);
  const std::string criterion = word == "knn:cv" ? "cv" : word;
  report.note("bandwidth " + widths + (was_given ? " chosen by " + word : " chosen by cv, as none was given") + " (" +
              criterion + " = " + cli::number_text(chosen.criterion, 8) +
              (unit == 1 ? "" : " of y / " + cli::number_text(unit, 17)) + ")");
  report.detail(std::to_string(chosen.evaluations) + " bandwidths tried");
  if (chosen.is_constant)
    report.note("y is constant: every bandwidth predicts it");
  else if (chosen.is_polynomial)
    report.note("y is exactly " + polynomial(degree) + " in x: every bandwidth predicts it");
  else if (chosen.is_widest)
    report.note("an infinite bandwidth is the best: " +
                (degree == 0 ? "x tells " + criterion + " nothing" : "the fit is " + polynomial(degree) + " in x"));
  else if (chosen.at_border)
    report.note("the bandwidth is at the narrow end of the range searched: the data ask for the least smoothing");
  if (!chosen.smoothed_away.empty()) {
    report.note("x, column " + attn::listed(chosen.smoothed_away, ",") + ": " +
                (degree == 0 ? "tells " + word + " nothing" : "the fit is " + polynomial(degree) + " in it") +
                ", its width is infinite");
  }
  for (const attn::Category& category : data.samples.categories)
    if (!chosen.is_widest && !chosen.is_constant && !chosen.is_polynomial &&
        chosen.bandwidth.values[category.column] == attn::widest_lambda(settled.smoother.category_kernel, category))
      report.note(data.categories->name(category.column) + " tells " + word + " nothing: its lambda is the largest");
}

void note_result(const attn::RegressionResult& result, const PreparedSamples& data, const attn::Smoother& smoother,
                 cli::Report& report) {
  const auto some = [&](std::size_t count) {
    return std::to_string(count) + " of " + std::to_string(result.fit.shape[0]);
  };
  if (result.not_finite > 0)
    report.note(some(result.not_finite) + " queries are NaN or infinite: their result is " +
                (data.classes ? "no label" : "NaN"));
  if (result.empty_windows > 0)
    report.note(some(result.empty_windows) + " queries have no sample in reach: their result is " +
                result_of_empty(result, data, smoother));
  if (result.lowered_degrees > 0)
    report.note(some(result.lowered_degrees) + " windows have too few samples that count and lie apart for degree " +
                std::to_string(smoother.degree) + ": a lower one was fitted (--emit degree)");
  if (result.standard_error) {
    const auto* error = result.standard_error->contiguous_data<double>();
    const auto* fit = result.fit.contiguous_data<double>();
    std::size_t unknown = 0;
    for (std::size_t i = 0; i < result.fit.size(); ++i) unknown += std::isnan(error[i]) && !std::isnan(fit[i]);
    if (unknown > 0)
      report.note(std::to_string(unknown) + " of " + std::to_string(result.fit.size()) +
                  " standard errors are NaN: no sample of the window has another one in reach");
  }
  report.detail("method " + std::string(attn::name_of(result.method)) + ": " + result.reason);
}

}  // namespace nwreg
