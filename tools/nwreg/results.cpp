#include "nwreg/results.hpp"

#include <attn/core/source_sink.hpp>
#include <attn/regression/nadaraya_watson.hpp>
#include <attn/regression/weights.hpp>

namespace nwreg {
namespace {

using attn::TensorView;

/// (m, C d), whatever the rank.
TensorView as_matrix(const TensorView& x) {
  if (x.rank() < 2) return x;
  return attn::reshaped(x, {x.shape[0], x.shape[0] > 0 ? x.size() / x.shape[0] : x.shape[1]});
}

/// Columns of each output, such as "lower-setosa" and "upper-setosa"; for a single output, the columns themselves.
std::vector<std::string> columns_for_each(const std::vector<std::string>& outputs,
                                          const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::string& output : outputs)
    for (const std::string& column : columns) names.push_back(output.empty() ? column : column + "-" + output);
  return names;
}

}  // namespace

std::vector<cli::Result> results_of(const Options& o, const PreparedSamples& data, const SettledSmoother& settled,
                                    const attn::RegressionResult& result) {
  const auto as_written = [&](const TensorView& x) { return attn::cast(as_matrix(x), data.dtype); };
  std::vector<cli::Result> results;
  const auto emit = [&](const char* name, const TensorView& tensor, const std::vector<std::string>& columns = {}) {
    results.push_back({name, tensor});
    if (!columns.empty()) results.back().attributes["columns"] = attn::vector_of(columns);
  };
  const auto wants = [&](const char* name) { return o.output.wants(name); };
  std::optional<TensorView> derivative = result.derivative;
  if (derivative && data.scales) derivative = data.scales->slopes(*derivative);
  const TensorView fit = as_written(result.fit);
  results.push_back({"",
                     o.derivative   ? as_written(*derivative)
                     : data.classes ? attn::likeliest_classes(result.fit, *data.classes)
                                    : fit,
                     settled.attributes});
  const attn::Predictors& queries = data.shown_queries;
  for (std::size_t i = 0; o.with_query && i < queries.parts.size(); ++i) {
    if (queries.parts.size() == 1)
      emit("q", queries.parts[i], queries.names);
    else
      emit(("q/" + queries.names[i]).c_str(), queries.parts[i], {queries.names[i]});
  }
  const std::vector<std::string> outputs = data.output_names();
  const TensorView mean = data.classes ? attn::class_probabilities(result.fit) : result.fit;
  if (wants("probabilities"))
    emit("probabilities", as_written(mean),
         data.classes->names.dtype == attn::DType::string ? outputs : columns_for_each(outputs, {"probability"}));
  if (wants("se")) emit("se", as_written(*result.standard_error), columns_for_each(outputs, {"se"}));
  if (wants("band"))
    emit("band", as_written(attn::confidence_band(mean, *result.standard_error, o.level, data.classes.has_value())),
         columns_for_each(outputs, {"lower", "upper"}));
  if (wants("neff")) emit("neff", as_written(*result.effective_size));
  if (wants("degree")) emit("degree", *result.local_degree);
  if (wants("derivative")) emit("derivative", as_written(*derivative));
  if (settled.selection && settled.selection->curve)
    emit("bandwidth-curve", *settled.selection->curve, curve_columns(settled));
  return results;
}

void add_weights(const Options& o, const PreparedSamples& data,
                 const std::shared_ptr<const attn::KernelRegression>& regression, const attn::Smoother& smoother,
                 const attn::Execution& execution, std::vector<cli::Result>& results) {
  if (!o.sparse) {
    results.push_back(
        {"weights", {}, {}, attn::dense_weights(regression, data.queries, smoother, o.leave_one_out, execution)});
    return;
  }
  if (execution.dry_run != nullptr) return;  // how many are not 0 is known when they are
  attn::SparseWeights sparse = attn::sparse_weights(regression, data.queries, smoother, o.leave_one_out, execution);
  results.push_back({"weights/data", {}, {}, std::move(sparse.data)});
  results.push_back({"weights/indices", {}, {}, std::move(sparse.indices)});
  results.push_back({"weights/indptr", sparse.indptr});
  results.push_back({"weights/shape", sparse.shape});
}

}  // namespace nwreg
