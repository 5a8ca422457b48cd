#include "cli/plans.hpp"
#include "cli/tool.hpp"

#include <attn/regression/nadaraya_watson.hpp>

namespace {

struct Options {
  cli::Input x{"x"}, y{"y"};
  cli::OptionalInput queries{"q"};
  cli::OptionalInput bandwidth;
  attn::Smoother smoother;
  cli::Output output;
};

cli::Choices<attn::Kernel> kernel_choices() {
  cli::Choices<attn::Kernel> choices;
  for (const attn::Kernel kernel : attn::all_kernels()) choices.emplace_back(attn::name_of(kernel), kernel);
  return choices;
}

void declare(cli::Command& command, Options& o) {
  command.example("nwreg -x cars.csv:/speed -y cars.csv:/dist --bandwidth 2 -O csv")
      .example("nwreg -x cars.csv:/speed -y cars.csv:/dist -q linspace=5,25,21 --bandwidth 2 -o fit.h5");
  command.input("-x", o.x, "keys, (n) or (n, d)");
  command.input("-y", o.y, "values, (n) or (n, C)");
  command.input("-q,--queries", o.queries, "queries, (m) or (m, d); without it the fit is at the keys");
  command.option("--kernel", o.smoother.kernel, kernel_choices(), "weight of a key by its distance over the bandwidth");
  command.input("--bandwidth", o.bandwidth, "one number, one for each column of x, or a (d, d) matrix");
  command.note(
      "epanechnikov is max(0, 1 - u), as the literature on attention has it; parabolic is max(0, 1 - u^2), the "
      "textbooks' "
      "Epanechnikov kernel.");
  command.output(o.output);
}

void run(const Options& o, cli::Session& session) {
  const attn::Samples samples{session.read(o.x), session.read(o.y), std::nullopt};
  const attn::KernelRegression regression(samples, session.execution());
  attn::Smoother smoother = o.smoother;
  smoother.bandwidth = attn::bandwidth_from_tensor(*session.read(o.bandwidth), regression.dimensions());
  if (smoother.kernel == attn::Kernel::epanechnikov)
    session.note("epanechnikov is max(0, 1 - u) here; the textbooks' kernel 1 - u^2 is parabolic");
  const auto queries = session.read(o.queries);
  session.plan(cli::regression_plan(samples.x, samples.y, queries ? *queries : samples.x));
  const attn::RegressionResult result = queries ? regression.evaluate(*queries, smoother, {}, session.execution())
                                                : regression.evaluate(smoother, {}, session.execution());
  if (result.empty_windows > 0)
    session.note(std::to_string(result.empty_windows) + " queries have no key in reach; their fit is NaN");
  session.write(o.output, result.fit);
}

}  // namespace

ATTN_TOOL("nwreg", "Nadaraya-Watson kernel regression", Options, declare, run)
