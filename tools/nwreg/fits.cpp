#include "nwreg/fits.hpp"

#include "nwreg/smoother.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace nwreg {
namespace {

using attn::RegressionResult;
using attn::TensorView;

/// Tensors of one shape and type, f64, i64 or text, beside each other along a new axis, before which are `before` of
/// theirs.
TensorView stacked(const std::vector<TensorView>& parts, std::size_t before) {
  attn::Shape shape = parts.front().shape;
  std::size_t outer = 1;
  for (std::size_t axis = 0; axis < before; ++axis) outer *= shape[axis];
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(before), parts.size());
  attn::Tensor all(parts.front().dtype, shape);
  const std::size_t run = outer > 0 ? parts.front().size() / outer : 0;
  const auto fill = [&](auto zero) {
    using T = decltype(zero);
    T* to = all.data_as<T>();
    for (std::size_t i = 0; i < outer; ++i)
      for (const TensorView& part : parts) to = std::copy_n(part.contiguous_data<T>() + i * run, run, to);
  };
  switch (all.dtype()) {
    case attn::DType::string: fill(std::string()); break;
    case attn::DType::i64: fill(std::int64_t{0}); break;
    default: fill(0.0);
  }
  return all.view();
}

/// The samples with one column of y.
PreparedSamples of_column(PreparedSamples data, std::size_t c) {
  if (data.samples.y.rank() < 2) return data;
  const std::string name = data.samples.y.name;
  data.samples.y =
      attn::contiguous(attn::slice(data.samples.y, {{}, {static_cast<std::int64_t>(c), std::nullopt, 1, true}}));
  data.samples.y.name = name;
  return data;
}

/// Sorts the quantiles of each row, (rows, columns of y x quantiles); the number of rows that were not sorted.
std::size_t sort_quantiles(TensorView& fit, std::size_t quantiles) {
  attn::Tensor sorted(attn::DType::f64, fit.shape);
  const double* from = fit.contiguous_data<double>();
  auto* const to = sorted.data_as<double>();
  std::copy(from, from + fit.size(), to);
  const std::size_t columns = fit.shape[1];
  std::size_t crossing = 0;
  for (std::size_t i = 0; i < fit.shape[0]; ++i) {
    bool crosses = false;
    for (double* first = to + i * columns; first != to + (i + 1) * columns; first += quantiles) {
      double* const last = first + quantiles;
      // A window may be empty for one quantile alone.
      const bool is_known = std::none_of(first, last, [](double value) { return std::isnan(value); });
      if (!is_known || std::is_sorted(first, last)) continue;
      crosses = true;
      std::sort(first, last);
    }
    crossing += crosses ? 1 : 0;
  }
  fit = sorted.view();
  return crossing;
}

}  // namespace

std::vector<attn::SmoothedRegression> Fits::smoothed() const {
  std::vector<attn::SmoothedRegression> smoothed;
  for (const Fit& fit : all) smoothed.push_back({fit.regression, fit.settled.smoother});
  return smoothed;
}

std::vector<RegressionResult> Fits::evaluate(const std::optional<TensorView>& queries,
                                             const attn::RegressionRequest& request,
                                             const attn::Execution& execution) const {
  std::vector<RegressionResult> results;
  for (const Fit& fit : all)
    results.push_back(queries ? fit.regression->evaluate(*queries, fit.settled.smoother, request, execution)
                              : fit.regression->evaluate(fit.settled.smoother, request, execution));
  return results;
}

RegressionResult Fits::join(const std::vector<RegressionResult>& results, std::size_t* crossing) const {
  RegressionResult joined = results.front();
  if (is_one()) return joined;
  std::vector<TensorView> parts;
  for (const RegressionResult& result : results) parts.push_back(result.fit);
  joined.fit = stacked(parts, 1);
  using Part = std::optional<TensorView> RegressionResult::*;
  for (const Part part :
       {&RegressionResult::derivative, &RegressionResult::standard_error, &RegressionResult::slope_error,
        &RegressionResult::effective_size, &RegressionResult::local_degree, &RegressionResult::self_weight}) {
    if (!(joined.*part)) continue;
    parts.clear();
    for (const RegressionResult& result : results) parts.push_back(*(result.*part));
    joined.*part = stacked(parts, 1);
  }
  const std::size_t crosses = quantiles > 1 ? sort_quantiles(joined.fit, quantiles) : 0;
  if (crossing != nullptr) *crossing = crosses;
  return joined;
}

attn::Attributes Fits::attributes() const {
  attn::Attributes joined = all.front().settled.attributes;
  if (is_one()) return joined;
  for (const Fit& fit : all) joined.insert(fit.settled.attributes.begin(), fit.settled.attributes.end());
  for (auto& [name, value] : joined) {
    const bool is_quantile = name == "quantile";
    if (!(has_own_bandwidths && attn::starts_with(name, "bandwidth") && name != "bandwidth-chosen-by") &&
        !(is_quantile && quantiles > 1))
      continue;
    std::vector<TensorView> values;
    for (std::size_t i = 0; i < (is_quantile ? quantiles : all.size()); ++i) {
      const auto found = all[i].settled.attributes.find(name);  // there may be none, for a unit of 1
      values.push_back(found != all[i].settled.attributes.end() ? found->second : attn::scalar_of(1.0));
    }
    value = stacked(values, value.rank());
  }
  return joined;
}

std::optional<TensorView> Fits::curve() const {
  if (!all.front().settled.selection || !all.front().settled.selection->curve) return std::nullopt;
  if (!has_own_bandwidths) return all.front().settled.selection->curve;
  std::size_t rows = 0;
  for (const Fit& fit : all) rows = std::max(rows, fit.settled.selection->curve->shape[0]);
  std::vector<TensorView> curves;
  for (const Fit& fit : all) {
    const TensorView curve = attn::contiguous(*fit.settled.selection->curve);
    attn::Tensor filled(attn::DType::f64, {rows, curve.shape[1]});
    std::fill_n(filled.data_as<double>(), filled.size(), std::numeric_limits<double>::quiet_NaN());
    std::copy_n(curve.contiguous_data<double>(), curve.size(), filled.data_as<double>());
    curves.push_back(filled.view());
  }
  return stacked(curves, 2);
}

bool has_own_bandwidths(const SmootherOptions& o, const PreparedSamples& data) {
  return is_searched(o) && !o.is_common && !data.classes && data.value_columns() > 1;
}

Fits prepare_fits(const Options& o, const PreparedSamples& data,
                  std::shared_ptr<const attn::KernelRegression> regression, cli::Session& session) {
  if (o.smoother.smoother.kernel == attn::Kernel::epanechnikov)
    session.report.note(
        "epanechnikov is max(0, 1 - u), as the literature on attention has it; --kernel parabolic is the textbooks' "
        "max(0, 1 - u^2)");
  const bool is_robust = o.smoother.robust > 0 && session.execution().dry_run == nullptr;
  const bool has_own = has_own_bandwidths(o.smoother, data);
  const std::size_t quantiles = data.quantiles.size(), columns = data.value_columns();
  const bool is_apart = has_own || quantiles > 1 || (o.smoother.robust > 0 && columns > 1 && !data.classes);
  const std::vector<std::string> names = data.output_names();
  const auto settle = [&](const PreparedSamples& samples, const attn::KernelRegression& of, std::size_t t) {
    SmootherOptions options = o.smoother;
    if (quantiles > 1) options.smoother.quantile = options.quantiles[t];
    return settle_smoother(options, samples, of, o.output.wants("bandwidth-curve"), session);
  };
  const auto prefix = [&](const std::string& name) {
    return quantiles == 1 && data.value_names.size() != columns ? "y, column " + name + ": " : name + ": ";
  };
  Fits fits;
  fits.quantiles = quantiles;
  fits.has_own_bandwidths = is_searched(o.smoother) && is_apart && (has_own || quantiles > 1);
  std::vector<SettledSmoother> common;  // of each quantile
  for (std::size_t t = 0; !has_own && t < quantiles; ++t) {
    PreparedSamples samples = data;
    if (quantiles > 1) samples.note_prefix = prefix(data.quantiles[t]);
    if (t == 0 || is_searched(o.smoother)) {
      common.push_back(settle(samples, *regression, t));
      continue;
    }
    common.push_back(common.front());
    common.back().smoother.quantile = o.smoother.quantiles[t];
    common.back().attributes["quantile"] = attn::scalar_of(o.smoother.quantiles[t]);
  }
  for (std::size_t c = 0; c < (is_apart ? columns : 1); ++c) {
    PreparedSamples samples = is_apart ? of_column(data, c) : data;
    const auto of_samples = is_apart && columns > 1
                                ? std::make_shared<const attn::KernelRegression>(samples.samples, session.execution())
                                : regression;
    for (std::size_t t = 0; t < quantiles; ++t) {
      if (is_apart) samples.note_prefix = prefix(names[c * quantiles + t]);
      Fit fit{samples, of_samples, has_own ? settle(samples, *of_samples, t) : common[t]};
      if (is_robust)
        fit.regression = std::make_shared<const attn::KernelRegression>(
            attn::robust_samples(samples.samples, fit.settled.smoother, o.smoother.robust, session.execution()),
            session.execution());
      fits.all.push_back(std::move(fit));
    }
  }
  return fits;
}

}  // namespace nwreg
