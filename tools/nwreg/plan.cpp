#include "nwreg/plan.hpp"

#include "cli/plans.hpp"

#include <attn/core/text_memory.hpp>

#include <algorithm>

namespace nwreg {
namespace {

std::uint64_t memory_of_longest_text(const attn::TensorView& names) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < names.shape.front(); ++i)
    most = std::max(most, attn::memory_of_texts(attn::element(names, i)));
  return most;
}

/// The results, and what --emit names beside them.
void add_results(const Options& o, const PreparedSamples& data, cli::Plan& plan) {
  const auto columns_of = [](const attn::TensorView& x) {
    return x.rank() < 2 ? std::size_t{1} : x.size() / x.shape[0];
  };
  attn::TensorInfo& main = plan.results.front();
  constexpr std::size_t widest = 3;  // a band: both ends, and the errors that it is made of
  plan.memory += widest * o.output.emit.size() * cli::bytes_of(main);
  main.dtype = data.dtype;
  const attn::TensorInfo fit = main;
  const std::size_t rows = fit.shape.empty() ? 1 : fit.shape.front(), samples = data.samples.x.shape.front();
  const std::size_t outputs = samples > 0 ? columns_of(data.samples.y) : 1;
  const std::size_t slopes = outputs * (samples > 0 ? columns_of(data.samples.x) : 1);
  if (data.classes) {
    main = {"", data.classes->names.dtype, {rows}};
    plan.memory += rows * memory_of_longest_text(data.classes->names);
  }
  if (o.derivative) main.shape = {rows, slopes};
  const auto add = [&](const char* name, attn::Shape shape) { plan.ready.push_back({name, data.dtype, shape}); };
  const auto wants = [&](const char* name) { return cli::Session::wants(o.output, name); };
  if (o.with_query) plan.ready.push_back({"q", data.shown_queries.dtype, data.shown_queries.shape});
  if (wants("probabilities")) add("probabilities", fit.shape);
  if (wants("se")) add("se", fit.shape);
  if (wants("band")) add("band", {rows, 2 * outputs});
  if (wants("neff")) add("neff", {rows});
  if (wants("degree")) plan.ready.push_back({"degree", attn::DType::i64, {rows}});
  if (wants("derivative")) add("derivative", {rows, slopes});
  if (wants("weights") && !o.sparse) plan.streamed.push_back({"weights", attn::DType::f64, {rows, samples}});
}

}  // namespace

cli::Plan plan_of(const Options& o, const PreparedSamples& data) {
  cli::Plan plan = cli::regression_plan(data.samples.x, data.samples.y, data.queries ? *data.queries : data.samples.x);
  add_results(o, data, plan);
  plan.memory += o.plot.memory(data);
  return plan;
}

}  // namespace nwreg
