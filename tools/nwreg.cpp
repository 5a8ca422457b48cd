// nwreg: kernel regression and classification.

#include "cli/tool.hpp"
#include "nwreg/gradients.hpp"
#include "nwreg/notes.hpp"
#include "nwreg/part.hpp"
#include "nwreg/summary.hpp"

#include <attn/core/error.hpp>
#include <attn/core/values.hpp>
#include <attn/regression/confidence_band.hpp>
#include <attn/regression/robust.hpp>
#include <attn/regression/weights.hpp>

#include <chrono>

namespace nwreg {
namespace {

using attn::TensorView;

bool wants_curve(const Options& o) { return o.output.wants("bandwidth-curve"); }

attn::RegressionRequest request_of(const Options& o) {
  attn::RegressionRequest request;
  const auto wants = [&](const char* name) { return o.output.wants(name); };
  request.leave_one_out = o.leave_one_out;
  request.derivative = o.derivative || wants("derivative");
  request.standard_error = wants("se") || wants("band");
  request.effective_size = wants("neff");
  request.local_degree = wants("degree");
  return request;
}

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

/// The result and the values of --emit, except the weights.
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

void run(const Options& o, cli::Session& session) {
  const auto start = std::chrono::steady_clock::now();
  check(o, session);
  check_shard(o, session);
  if (session.gradients.wanted()) check_gradients(o);
  if (o.plot.draws_kernels_alone(o.samples)) {
    cli::expect_picture({o.plot.kernel_file, "", "", "", o.plot.size, o.output.options.overwrite});
    return o.plot.draw_kernels(o.smoother.smoother, o.output.options.overwrite, session);
  }
  if (o.output.wants("state")) return write_sums(o, session);
  const PreparedSamples data = read_samples(o.samples, session);
  auto shared = std::make_shared<const attn::KernelRegression>(data.samples, session.execution());
  if (o.shard && wants_curve(o)) return write_criterion(o, data, *shared, session);
  // Errors in queries should not wait for a long search.
  if (data.queries) shared->check_queries(*data.queries);
  o.plot.check(data, {o.leave_one_out, o.derivative}, o.output.options.overwrite);
  SettledSmoother settled = settle_smoother(o.smoother, data, *shared, wants_curve(o), session);
  if (session.gradients.wanted()) return write_gradients(o, data, settled.smoother, session);
  if (o.smoother.robust > 0 && session.execution().dry_run == nullptr)
    shared = std::make_shared<const attn::KernelRegression>(
        attn::robust_samples(data.samples, settled.smoother, o.smoother.robust, session.execution()),
        session.execution());
  const attn::KernelRegression& regression = *shared;
  attn::RegressionRequest request = request_of(o);
  const bool fits_samples = !data.queries && !o.leave_one_out;
  request.self_weight = o.summary && fits_samples;
  std::optional<cli::RowPart> part;
  if (o.shard) {
    part = rows_of_shard(o, data, settled.smoother, session);
    request.first = part->first;
    request.last = part->end;
  }
  const attn::RegressionResult result =
      data.queries ? regression.evaluate(*data.queries, settled.smoother, request, session.execution())
                   : regression.evaluate(settled.smoother, request, session.execution());
  if (o.summary && session.execution().dry_run == nullptr) {
    attn::RegressionRequest at_samples;
    at_samples.self_weight = true;
    const Summary summary(
        data, fits_samples ? result : regression.evaluate(settled.smoother, at_samples, session.execution()), settled);
    summary.add_to(settled.attributes);
    summary.say(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), session.report);
  }
  note_result(result, data, settled.smoother, session.report);

  const PreparedSamples shown = part ? with_rows(data, *part) : data;
  std::vector<cli::Result> results = results_of(o, shown, settled, result);
  if (o.output.wants("weights")) add_weights(o, shown, shared, settled.smoother, session.execution(), results);
  if (part) set_rows(results);
  if (o.output.kind() != cli::ResultKind::picture)
    session.write(o.output, results, part ? cli::row_attributes(*part, o.output, results) : cli::GroupAttributes{});
  o.plot.draw(data, shared, settled.smoother, o.level, {o.leave_one_out, o.derivative}, o.output.options.overwrite,
              session);
}

}  // namespace
}  // namespace nwreg

ATTN_TOOL("nwreg", "Nadaraya-Watson kernel regression and classification", nwreg::Options, nwreg::declare, nwreg::run)
