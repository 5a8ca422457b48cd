#include "nwreg/options.hpp"

#include "cli/results.hpp"

#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace nwreg {

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
  command.option("--level", o.level, "P: confidence level of the band");
  command.flag("--sparse", o.sparse, "write the weights as compressed rows: weights/data, indices, indptr, shape");
  command.flag("--with-query", o.with_query, "write the queries along with the result");
  cli::add_shard(command, o.shard,
                 "of the queries, or with --emit state or bandwidth-curve of the samples; tmerge joins the parts");
  command.flag("--summary", o.summary, "print what was fitted and how well, and write it into the attributes");
  add_plot_options(command, o.plot);
  command.note(
      "epanechnikov is max(0, 1 - u), as in the literature on attention; parabolic is max(0, 1 - u^2), the "
      "Epanechnikov kernel of textbooks.");
  o.output.known_emits = {"se",   "band", "neff", "degree", "derivative", "weights", "probabilities", "bandwidth-curve",
                          "state"};
  o.output.makes = [&o] {
    const bool is_picture = o.plot.draws_kernels_alone(o.samples) || (o.plot.is_for_terminal() && o.output.text == "-");
    return is_picture ? cli::ResultKind::picture : cli::ResultKind::tensors;
  };
  command.seldom({"--category-kernel", "--robust", "--summary", "--scale-convention", "--isotropic", "--loss",
                  "--decay", "--method", "--tol", "--sparse", "--plot-size", "--derivative", "--shard"});
  o.output.has_gradients = true;
  command.output(o.output);
}

namespace {

/// Throws Error(usage) for a companion of the fit beside something else: errors of the fit say nothing about slopes.
void check_companions(const Options& o, const cli::Session& session) {
  const bool is_criterion = o.shard && o.output.wants("bandwidth-curve");
  struct Written {
    bool is_written;
    const char* what;
    std::vector<std::string> refused;
  };
  const Written all_written[] = {
      {o.derivative,
       "--derivative writes slopes",
       {"--emit se", "--emit band", "--emit neff", "--emit weights", "--summary", "--plot-weights"}},
      {o.leave_one_out,
       "--loo writes predictions of samples from the others",
       {"--emit se", "--emit band", "--summary", "--plot-weights"}},
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

}  // namespace

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
  if (!(o.level > 0 && o.level < 1))
    throw Error(ErrorKind::usage, "--level", "is not between 0 and 1", "give a share, as 0.95");
  if (wants("bandwidth-curve") && !is_searched(o.smoother))
    throw Error(ErrorKind::usage, "--emit bandwidth-curve", "needs a search",
                o.smoother.smoother.kernel == attn::Kernel::constant ? "take a kernel that has a bandwidth"
                                                                     : "give --bandwidth cv or aicc");
  if (wants("probabilities") && !o.samples.classify)
    throw Error(ErrorKind::usage, "--emit probabilities", "is for labels", "give --classify");
  if (o.derivative && o.samples.classify)
    throw Error(ErrorKind::usage, "--derivative", "is not for labels", "take --emit derivative");
}

}  // namespace nwreg
