// nwreg: kernel regression and classification.

#include "cli/tool.hpp"
#include "nwreg/gradients.hpp"
#include "nwreg/notes.hpp"
#include "nwreg/part.hpp"
#include "nwreg/results.hpp"
#include "nwreg/summary.hpp"

#include <attn/core/error.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <chrono>

namespace nwreg {
namespace {

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

void fit(const Options& o, const PreparedSamples& data, std::shared_ptr<const attn::KernelRegression> shared,
         SettledSmoother settled, std::chrono::steady_clock::time_point start, cli::Session& session) {
  if (o.smoother.robust > 0 && session.execution().dry_run == nullptr)
    shared = std::make_shared<const attn::KernelRegression>(
        attn::robust_samples(data.samples, settled.smoother, o.smoother.robust, session.execution()),
        session.execution());
  const attn::KernelRegression& regression = *shared;
  attn::RegressionRequest request = request_of(o);
  const bool fits_samples = !data.queries && !o.leave_one_out;
  request.self_weight = o.summary && fits_samples;
  std::optional<cli::PartHead> part;
  if (o.shard) {
    part = rows_of_shard(o, data);
    settle_bandwidth(settled.smoother, session);
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
  if (part) {
    set_rows(results);
    cli::write_part(o.output, *part, results, session);
  } else if (o.output.kind() != cli::ResultKind::picture) {
    session.write(o.output, results);
  }
  o.plot.draw(data, shared, settled.smoother, o.level, {o.leave_one_out, o.derivative}, o.output.options.overwrite,
              session);
}

void run(const Options& o, cli::Session& session) {
  const auto start = std::chrono::steady_clock::now();
  const Task task = task_of(o, session);
  if (task == Task::kernels) return draw_kernels(o, session);
  if (task == Task::sums) return write_sums(o, session);
  if (o.shard) session.inputs.keep_record();
  const PreparedSamples data = read_samples(o.samples, session);
  if (data.classes) session.settle("the list of labels", attn::listed(data.output_names()));
  auto regression = std::make_shared<const attn::KernelRegression>(data.samples, session.execution());
  if (task == Task::criterion) return write_criterion(o, data, *regression, session);
  // Errors in queries should not wait for a long search.
  if (data.queries) regression->check_queries(*data.queries);
  o.plot.check(data, {o.leave_one_out, o.derivative}, o.output.options.overwrite);
  SettledSmoother settled = settle_smoother(o.smoother, data, *regression, wants_curve(o), session);
  if (task == Task::gradients) return write_gradients(o, data, settled.smoother, session);
  fit(o, data, std::move(regression), std::move(settled), start, session);
}

}  // namespace
}  // namespace nwreg

ATTN_TOOL("nwreg", "Nadaraya-Watson kernel regression and classification", nwreg::Options, nwreg::declare, nwreg::run)
