// nwreg: kernel regression and classification.

#include "cli/plans.hpp"
#include "cli/regression_options.hpp"
#include "cli/regression_plot.hpp"
#include "cli/tool.hpp"

#include <attn/core/error.hpp>
#include <attn/regression/weights.hpp>

namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

struct Options {
  cli::SampleOptions samples;
  cli::SmootherOptions smoother;
  bool leave_one_out = false, derivative = false, sparse = false, with_query = false;
  std::optional<double> level;
  cli::RegressionPlot plot;
  cli::Output output;
};

void declare(cli::Command& command, Options& o) {
  command.example("nwreg -x cars.csv:/speed -y cars.csv:/dist -q linspace=5,25,21 --bandwidth 2 -O csv");
  command.example(
      "nwreg -x mcycle.csv:/times -y mcycle.csv:/accel --bandwidth aicc --emit band --plot fit.png -o y.h5");
  command.example(
      "nwreg -x iris.csv:/Petal.Length,Petal.Width -y iris.csv:/Species --classify --loo --bandwidth 0.3 -O csv");
  cli::add_sample_options(command, o.samples);
  cli::add_smoother_options(command, o.smoother);
  command.group("Results");
  command.flag("--loo", o.leave_one_out, "predict each sample from the others");
  command.flag("--derivative", o.derivative, "the result is the derivative of the fit by each column of the query");
  command.option("--level", o.level, "P: of the confidence band, 0.95");
  command.flag("--sparse", o.sparse, "--emit weights writes compressed rows: weights/data, indices, indptr, shape");
  command.flag("--with-query", o.with_query, "write the queries beside the result");
  cli::add_regression_plot(command, o.plot);
  command.note(
      "epanechnikov is max(0, 1 - u), as the literature on attention has it; parabolic is max(0, 1 - u^2), the "
      "textbooks' Epanechnikov kernel.");
  o.output.known_emits = {"se", "band", "neff", "degree", "derivative", "weights", "probabilities", "bandwidth-curve"};
  command.output(o.output);
}

attn::RegressionRequest request_of(const Options& o) {
  attn::RegressionRequest request;
  const auto wants = [&](const char* name) { return cli::Session::wants(o.output, name); };
  request.leave_one_out = o.leave_one_out;
  request.derivative = o.derivative || wants("derivative");
  request.standard_error = wants("se") || wants("band");
  request.effective_size = wants("neff");
  request.local_degree = wants("degree");
  return request;
}

void check_options(const Options& o) {
  const auto wants = [&](const char* name) { return cli::Session::wants(o.output, name); };
  if (o.leave_one_out && o.samples.queries.given())
    throw Error(ErrorKind::usage, "--loo", "predicts the samples and takes no queries", "leave out -q");
  if (o.sparse && !wants("weights")) throw Error(ErrorKind::usage, "--sparse", "is about --emit weights");
  if (o.level && !wants("band") && o.plot.fit_file.empty())
    throw Error(ErrorKind::usage, "--level", "is of the confidence band", "give --emit band or --plot");
  if (!o.plot.size.empty() && !o.plot.draws())
    throw Error(ErrorKind::usage, "--plot-size", "is of pictures", "give --plot, --plot-weights or --plot-kernel");
  if (wants("probabilities") && !o.samples.classify)
    throw Error(ErrorKind::usage, "--emit probabilities", "is for labels", "give --classify");
  if (o.derivative && o.samples.classify)
    throw Error(ErrorKind::usage, "--derivative", "is not for labels", "take --emit derivative");
}

/// (m, C d), whatever the rank.
TensorView as_matrix(const TensorView& x) {
  if (x.rank() < 2) return x;
  return attn::reshaped(x, {x.shape[0], x.shape[0] > 0 ? x.size() / x.shape[0] : x.shape[1]});
}

void add_weights(const Options& o, const cli::PreparedSamples& data,
                 const std::shared_ptr<const attn::KernelRegression>& regression, const attn::Smoother& smoother,
                 cli::Session& session, std::vector<cli::Result>& results) {
  if (!o.sparse) {
    results.push_back({"weights",
                       {},
                       {},
                       attn::dense_weights(regression, data.queries, smoother, o.leave_one_out, session.execution())});
    return;
  }
  attn::SparseWeights sparse =
      attn::sparse_weights(regression, data.queries, smoother, o.leave_one_out, session.execution());
  results.push_back({"weights/data", {}, {}, std::move(sparse.data)});
  results.push_back({"weights/indices", {}, {}, std::move(sparse.indices)});
  results.push_back({"weights/indptr", sparse.indptr});
  results.push_back({"weights/shape", sparse.shape});
}

void run(const Options& o, cli::Session& session) {
  check_options(o);
  if (o.plot.draw_kernels(o.samples, o.output.options.overwrite, session)) return;
  const cli::PreparedSamples data = cli::read_samples(o.samples, session);
  session.plan(cli::regression_plan(data.samples.x, data.samples.y, data.queries ? *data.queries : data.samples.x));
  const auto shared = std::make_shared<const attn::KernelRegression>(data.samples, session.execution());
  const attn::KernelRegression& regression = *shared;
  const cli::SettledSmoother settled = cli::settle_smoother(o.smoother, data, regression, session);
  const attn::RegressionRequest request = request_of(o);
  const attn::RegressionResult result =
      data.queries ? regression.evaluate(*data.queries, settled.smoother, request, session.execution())
                   : regression.evaluate(settled.smoother, request, session.execution());
  cli::note_windows(result, settled.smoother, session);

  const auto as_written = [&](const TensorView& x) { return attn::cast(as_matrix(x), data.dtype); };
  const auto wants = [&](const char* name) { return cli::Session::wants(o.output, name); };
  std::vector<cli::Result> results;
  std::optional<TensorView> derivative = result.derivative;
  if (derivative && data.scales) derivative = data.scales->slopes(*derivative);
  TensorView main = o.derivative ? as_written(*derivative) : as_written(result.fit);
  if (data.classes) main = attn::likeliest_classes(result.fit, *data.classes);
  results.push_back({"", main, settled.attributes});
  if (o.with_query) {
    results.push_back({"q", data.shown_queries});
    if (!data.query_names.empty()) results.back().attributes["columns"] = data.query_names;
  }
  if (wants("probabilities")) results.push_back({"probabilities", as_written(attn::class_probabilities(result.fit))});
  if (data.classes && wants("probabilities") && data.classes->names.dtype == attn::DType::string) {
    const auto* names = data.classes->names.contiguous_data<std::string>();
    results.back().attributes["columns"] = std::vector<std::string>(names, names + data.classes->names.size());
  }
  const double level = o.level.value_or(0.95);
  std::optional<TensorView> band;
  if (result.standard_error) band = attn::confidence_band(result.fit, *result.standard_error, level);
  if (wants("se")) results.push_back({"se", as_written(*result.standard_error)});
  if (wants("band")) results.push_back({"band", as_written(*band)});
  if (band && wants("band") && band->shape[1] == 2)
    results.back().attributes["columns"] = std::vector<std::string>{"lower", "upper"};
  if (wants("neff")) results.push_back({"neff", as_written(*result.effective_size)});
  if (wants("degree")) results.push_back({"degree", *result.local_degree});
  if (wants("derivative")) results.push_back({"derivative", as_written(*derivative)});
  if (wants("bandwidth-curve")) {
    if (!settled.selection)
      throw Error(ErrorKind::usage, "--emit bandwidth-curve", "needs a search", "give --bandwidth cv or aicc");
    results.push_back({"bandwidth-curve", settled.selection->curve});
    results.back().attributes["columns"] = cli::curve_columns(settled);
  }
  if (wants("weights")) add_weights(o, data, shared, settled.smoother, session, results);
  o.plot.draw(data, shared, settled.smoother, level, o.output.options.overwrite, session);
  // A picture on the terminal takes the place of the numbers.
  if (o.plot.is_for_terminal() && o.output.text == "-") return;
  session.write(o.output, results);
}

}  // namespace

ATTN_TOOL("nwreg", "Nadaraya-Watson kernel regression and classification", Options, declare, run)
