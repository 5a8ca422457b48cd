// nwreg: kernel regression and classification.

#include "cli/numbers.hpp"
#include "cli/result_writer.hpp"
#include "cli/tool.hpp"
#include "nwreg/fits.hpp"
#include "nwreg/options.hpp"
#include "nwreg/part.hpp"
#include "nwreg/results.hpp"

#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace nwreg {
namespace {

using attn::Error;
using attn::ErrorKind;

void declare(cli::Command& command, Options& o) {
  command.usage("-x OPERAND -y OPERAND [-q OPERAND] [OPTION]...");
  command.example("nwreg -x cars.csv:/speed -y cars.csv:/dist -q linspace=5,25,21 --bandwidth 2 -O csv");
  command.example("nwreg -x mcycle.csv:/times -y mcycle.csv:/accel --emit band --with-query --plot fit.png -o fit.csv");
  command.example(
      "nwreg -x iris.csv:/Petal.Length,Petal.Width -y iris.csv:/Species --classify --loo --bandwidth 0.3 -O csv");
  add_sample_options(command, o.samples);
  add_smoother_options(command, o.smoother);
  command.group("Results");
  command.flag("--loo", o.leave_one_out, "predict each sample from the others");
  command.flag("--derivative", o.derivative, "write the derivative by each column of the query instead of the fit");
  command.option("--band", o.band.kind,
                 cli::Choices<attn::BandKind>{{"pointwise", attn::BandKind::pointwise},
                                              {"simultaneous", attn::BandKind::simultaneous},
                                              {"corrected", attn::BandKind::corrected}},
                 "kind of the band");
  command.option("--level", o.band.level, "P: confidence level of the band");
  command.flag("--sparse", o.sparse, "write the weights as compressed rows: weights/data, indices, indptr, shape");
  command.flag("--with-query", o.with_query, "write the queries along with the result");
  cli::add_shard(command, o.shard,
                 "of the queries, or with --emit state or bandwidth-curve of the samples; tmerge joins the parts");
  command.flag("--summary", o.summary, "print what was fitted and how well, and write it into the attributes");
  add_plot_options(command, o.plot);
  command.note(
      "epanechnikov is max(0, 1 - u), as in the literature on attention; parabolic is max(0, 1 - u^2), the "
      "Epanechnikov kernel of textbooks.",
      "--kernel");
  o.output.known_emits = {"se",   "band", "neff", "degree", "derivative", "weights", "probabilities", "bandwidth-curve",
                          "state"};
  o.output.makes = [&o] {
    const bool is_picture = o.plot.draws_kernels_alone(o.samples) || (o.plot.is_for_terminal() && o.output.text == "-");
    return is_picture ? cli::ResultKind::picture : cli::ResultKind::tensors;
  };
  command.seldom({"--quantile", "--family", "--category-kernel", "--robust", "--summary", "--scale-convention",
                  "--isotropic", "--common-bandwidth", "--causal", "--loss", "--period", "--decay", "--method", "--tol",
                  "--sparse", "--derivative", "--shard"});
  o.output.has_gradients = true;
  command.output(o.output);
}

/// Throws Error(usage) for a companion of the fit beside something else: weights of the fit say nothing about slopes.
void check_companions(const Options& o, const cli::Session& session) {
  const bool is_criterion = o.shard && o.output.wants("bandwidth-curve");
  struct Written {
    bool is_written;
    const char* what;
    std::vector<std::string> refused;
  };
  const Written all_written[] = {
      {o.derivative, "--derivative writes slopes", {"--emit neff", "--emit weights", "--summary", "--plot-weights"}},
      {o.smoother.smoother.quantile.has_value(),
       "--quantile writes quantiles",
       {"--emit se", "--emit band", "--emit neff", "--emit derivative", "--emit weights", "--emit state",
        "--derivative", "--vjp", "--summary", "--plot-weights"}},
      {o.smoother.smoother.family != attn::Family::gaussian,
       "--family binomial writes probabilities",
       {"--emit neff", "--emit derivative", "--emit weights", "--emit state", "--derivative", "--vjp", "--summary",
        "--plot-weights"}},
      {o.leave_one_out, "--loo writes predictions of samples from the others", {"--summary", "--plot-weights"}},
      {session.was_given("--vjp"),
       "--vjp writes gradients",
       {"--summary", "--with-query", "--plot", "--plot-weights", "--plot-kernel"}},
      {o.output.wants("state"), "--emit state writes sums", {"--summary", "--with-query"}},
      {is_criterion,
       "--emit bandwidth-curve writes part of a criterion",
       {"--summary", "--with-query", "--derivative"}},
      {o.shard.has_value(), "--shard writes part of it", {"--plot", "--plot-weights", "--plot-kernel"}}};
  const auto is_given = [&](const std::string& companion) {
    return companion.rfind("--emit ", 0) == 0 ? o.output.wants(companion.substr(7)) : session.was_given(companion);
  };
  for (const Written& written : all_written)
    for (const std::string& companion : written.refused)
      if (written.is_written && is_given(companion))
        throw Error(ErrorKind::usage, companion, std::string("is of the fit, and ") + written.what, "omit one of them");
}

/// Throws Error(usage) for a band of --band without a picture or dataset, or of something else than a fit of means.
void check_band(const Options& o) {
  const std::string option = "--band " + std::string(attn::name_of(o.band.kind));
  if (!o.output.wants("band") && o.plot.fit_file.empty())
    throw Error(ErrorKind::usage, option, "chooses a band, and none is written", "give --emit band or --plot");
  const auto refuse = [&](bool is_written, const char* what) {
    if (is_written)
      throw Error(ErrorKind::usage, option, std::string("is of the fit, and ") + what, "omit one of them");
  };
  refuse(o.derivative, "--derivative writes slopes");
  refuse(o.leave_one_out, "--loo writes predictions of samples from the others");
  refuse(o.smoother.smoother.quantile.has_value(), "--quantile writes quantiles");
  refuse(o.smoother.smoother.family != attn::Family::gaussian, "--family binomial writes probabilities");
  refuse(o.samples.classify && o.band.kind == attn::BandKind::corrected, "--classify writes probabilities");
}

/// Throws Error(usage) for options that exclude each other.
void check(const Options& o, const cli::Session& session) {
  const auto wants = [&](const char* name) { return o.output.wants(name); };
  check_companions(o, session);
  check_smoother(o.smoother, o.samples.classify);
  if (o.output.kind() == cli::ResultKind::picture && session.was_given("--output"))
    throw Error(ErrorKind::usage, "--output", "is of the result, and there is only a picture",
                "give the samples (-x, -y), or the picture a file");
  std::vector<std::string> files{o.output.operand.source};
  for (const std::string& file : {o.plot.fit_file, o.plot.weights_file, o.plot.kernel_file}) {
    if (file.empty() || file == "-") continue;
    if (std::any_of(files.begin(), files.end(),
                    [&](const std::string& other) { return attn::io::is_one_output(file, other); }))
      throw Error(ErrorKind::usage, file, "is the name of two outputs, of which one would be lost", "give two names");
    files.push_back(file);
  }
  if (o.leave_one_out && o.samples.queries.given())
    throw Error(ErrorKind::usage, "--loo", "predicts the samples and takes no queries", "leave out -q");
  if (o.band.kind != attn::BandKind::pointwise) check_band(o);
  if (!(o.band.level > 0 && o.band.level < 1))
    throw Error(ErrorKind::usage, "--level", "is not between 0 and 1", "give a share, as 0.95");
  if (wants("bandwidth-curve") && !is_searched(o.smoother))
    throw Error(ErrorKind::usage, "--emit bandwidth-curve", "needs a search",
                o.smoother.smoother.kernel == attn::Kernel::constant ? "take a kernel that has a bandwidth"
                                                                     : "give --bandwidth cv, aicc or gcv");
  if (wants("probabilities") && !o.samples.classify)
    throw Error(ErrorKind::usage, "--emit probabilities", "is for labels", "give --classify");
  if (o.derivative && o.samples.classify)
    throw Error(ErrorKind::usage, "--derivative", "is not for labels", "take --emit derivative");
}

bool wants_curve(const Options& o) { return o.output.wants("bandwidth-curve"); }

attn::RegressionRequest request_of(const Options& o) {
  attn::RegressionRequest request;
  const auto wants = [&](const char* name) { return o.output.wants(name); };
  request.leave_one_out = o.leave_one_out;
  request.derivative = o.derivative || wants("derivative");
  const bool errors = wants("se") || wants("band");
  request.standard_error = errors && !o.derivative;
  request.slope_error = errors && o.derivative;
  request.effective_size = wants("neff");
  request.local_degree = wants("degree");
  return request;
}

/// What a run makes.
enum class Task {
  kernels,    ///< a picture of kernels, without samples
  sums,       ///< --emit state: over the shard's samples
  criterion,  ///< --emit bandwidth-curve of a shard
  gradients,  ///< --vjp, --check-grad
  fit         ///< y, or slopes, or predictions, with what --emit names and pictures; of a shard, some rows
};

/// Throws Error(usage) for options that exclude each other.
Task task_of(const Options& o, cli::Session& session) {
  check(o, session);
  check_shard(o, session);
  if (session.gradients.wanted()) check_gradients(o);
  return o.plot.draws_kernels_alone(o.samples) ? Task::kernels
         : o.output.wants("state")             ? Task::sums
         : o.shard && wants_curve(o)           ? Task::criterion
         : session.gradients.wanted()          ? Task::gradients
                                               : Task::fit;
}

void draw_kernels(const Options& o, cli::Session& session) {
  cli::expect_picture({o.plot.kernel_file, "", "", "", o.plot.size, o.output.options.overwrite});
  o.plot.draw_kernels(o.smoother.smoother, o.output.options.overwrite, session);
}

void note_band(attn::BandKind kind, const Band& band, const std::vector<attn::RegressionResult>& fits,
               std::size_t degree, cli::Report& report) {
  if (kind == attn::BandKind::simultaneous)
    report.detail("critical value of the band " +
                  attn::listed(band.critical_values, ", ", [](double value) { return cli::number_text(value, 9); }));
  std::size_t lowered = 0, windows = 0;
  for (const attn::RegressionResult& fit : fits) {
    lowered += fit.lowered_degrees;
    windows += fit.fit.shape[0];
  }
  if (band.corrected && band.corrected->lowered_degrees > lowered)
    report.note("band: " + std::to_string(band.corrected->lowered_degrees) + " of " + std::to_string(windows) +
                " windows have too few samples for degree " + std::to_string(attn::corrected_degree(degree)) +
                ": a lower one corrects there");
}

void fit(const Options& o, const PreparedSamples& data, const Fits& fits, std::chrono::steady_clock::time_point start,
         cli::Session& session) {
  if (o.sparse && !fits.is_one())
    throw Error(ErrorKind::usage, "--sparse", "is for weights that all columns of y share, and each has its own",
                "leave it out, or give one column at a time");
  attn::RegressionRequest request = request_of(o);
  const bool fits_samples = !data.queries && !o.leave_one_out;
  request.self_weight = o.summary && fits_samples;
  std::optional<cli::PartHead> part;
  if (o.shard) {
    part = rows_of_shard(o, data);
    std::vector<attn::Bandwidth> bandwidths;
    for (const Fit& each : fits.all) bandwidths.push_back(each.settled.smoother.bandwidth);
    settle_bandwidth(bandwidths, session);
    request.first = part->first;
    request.last = part->end;
  }
  const std::vector<attn::RegressionResult> each = fits.evaluate(data.queries, request, session.execution());
  std::size_t crossing = 0;
  const attn::RegressionResult result = fits.join(each, &crossing);
  attn::Attributes attributes = fits.attributes();
  std::string summary_line;  // in place of the fit, unless -o gives that another place
  if (o.summary && session.execution().dry_run == nullptr) {
    attn::RegressionRequest at_samples;
    at_samples.self_weight = true;
    const Summary summary(
        data, fits_samples ? result : fits.join(fits.evaluate(std::nullopt, at_samples, session.execution())), fits);
    summary.add_to(attributes);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (o.output.json)
      summary_line = cli::json_line(summary.to_json(seconds));
    else
      summary.say(seconds, session.report);
  }
  for (std::size_t k = 0; k < each.size(); ++k)
    note_result(each[k], fits.all[k].data, fits.all[k].settled.smoother, session.report);
  if (crossing > 0)
    session.report.note("quantiles cross at " + std::to_string(crossing) + " of " +
                        std::to_string(result.fit.shape[0]) + " queries: they are sorted");
  std::optional<Band> band;
  if (o.output.wants("band")) {
    band = band_of(o.band, fits, data.queries, request, session.execution());
    note_band(o.band.kind, *band, each, fits.all.front().settled.smoother.degree, session.report);
  }

  const PreparedSamples shown = part ? with_rows(data, *part) : data;
  std::vector<cli::Result> results = results_of(o, shown, fits, attributes, result, band);
  if (o.output.wants("weights")) add_weights(o, shown, fits, session.execution(), results);
  if (part) {
    set_rows(results);
    cli::write_part(o.output, *part, results, session);
  } else if (o.output.kind() != cli::ResultKind::picture && (summary_line.empty() || o.output.text != "-")) {
    session.write(o.output, results);
  }
  if (!summary_line.empty()) session.results.print_text(summary_line);
  o.plot.draw(data, fits, o.band, {o.leave_one_out, o.derivative}, o.output.options.overwrite, session);
}

void run(const Options& o, cli::Session& session) {
  const auto start = std::chrono::steady_clock::now();
  const Task task = task_of(o, session);
  if (task == Task::kernels) return draw_kernels(o, session);
  if (task == Task::sums) return write_sums(o, session);
  if (o.shard) session.inputs.keep_record();
  PreparedSamples data = read_samples(o.samples, session);
  data.quantiles = quantile_names(o.smoother);
  if (data.classes) session.settle("the list of labels", attn::listed(data.output_names()));
  auto regression = std::make_shared<const attn::KernelRegression>(data.samples, session.execution());
  if (task == Task::criterion) return write_criterion(o, data, *regression, session);
  // Errors in queries should not wait for a long search.
  if (data.queries) regression->check_queries(*data.queries);
  o.plot.check(data, {o.leave_one_out, o.derivative}, o.output.options.overwrite);
  const Fits fits = prepare_fits(o, data, std::move(regression), session);
  if (task == Task::gradients) return write_gradients(o, data, fits.all.front().settled.smoother, session);
  fit(o, data, fits, start, session);
}

}  // namespace
}  // namespace nwreg

ATTN_TOOL("nwreg", "Nadaraya-Watson kernel regression and classification", nwreg::Options, nwreg::declare, nwreg::run)
