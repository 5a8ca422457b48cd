#include "cli/numbers.hpp"
#include "nwreg/part.hpp"
#include "nwreg/settled_smoother.hpp"

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/regression/partial_sums.hpp>

#include <algorithm>

namespace nwreg {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

/// Samples [first, last), read from their files.
attn::Samples read_between(const SampleOptions& o, std::size_t first, std::size_t last, cli::Session& session) {
  const auto rows = [&](const cli::Input& input) {
    TensorView x = session.inputs.read_rows(input, 0, first, last);
    x.name = input.text;
    return x;
  };
  attn::Samples samples{rows(o.x), rows(o.y), std::nullopt};
  if (o.weights.given()) samples.weights = rows(o.weights);
  return samples;
}

/// The complete samples of a leaf, out of samples from row `first_read` of their files on. Messages count rows from the
/// first of the leaf, which the names contain.
attn::Samples samples_of(std::size_t leaf, attn::Samples samples, std::size_t first_read, attn::MissingValues missing) {
  const std::size_t first = leaf * attn::leaf_keys, at = first - first_read,
                    end = std::min(at + attn::leaf_keys, samples.x.shape[0]);
  const auto cut = [&](TensorView& x) {
    const std::string name = first > 0 ? x.name + '[' + std::to_string(first) + ":]" : x.name;
    x = attn::slice(x, {{static_cast<std::int64_t>(at), static_cast<std::int64_t>(end)}});
    x.name = name;
  };
  cut(samples.x);
  cut(samples.y);
  if (samples.weights) cut(*samples.weights);
  const std::vector<std::size_t> complete = attn::complete_rows(samples, missing);
  return complete.size() < end - at ? attn::rows_of(samples, complete) : samples;
}

/// Two heads: the kernel, with y and y^2 as values, and its square.
void fill(attn::StateNode& node, const attn::PartialSums& sums) {
  const std::size_t m = sums.weight.size();
  std::copy(sums.log_factor.begin(), sums.log_factor.end(), node.maximum.data_as<double>());
  std::transform(sums.log_factor.begin(), sums.log_factor.end(), node.maximum.data_as<double>() + m,
                 [](double log_factor) { return 2 * log_factor; });
  std::copy(sums.weight.begin(), sums.weight.end(), node.total.data_as<double>());
  std::copy(sums.square.begin(), sums.square.end(), node.total.data_as<double>() + m);
  std::copy(sums.values.begin(), sums.values.end(), node.output.data_as<double>());
}

attn::Bandwidth bandwidth_of(const Options& o) {
  const auto numbers = cli::parse_numbers(o.smoother.bandwidth.value_or(""));
  if (!numbers || numbers->empty())
    throw Error(ErrorKind::usage, "--bandwidth", "cannot be chosen by some of the samples",
                "give a number, or H1,H2,...");
  return numbers->size() == 1 ? attn::Bandwidth::number(numbers->front()) : attn::Bandwidth::per_coordinate(*numbers);
}

}  // namespace

void write_sums(const Options& o, cli::Session& session) {
  session.inputs.keep_record({"--key", "--value", "--sample-weights"});
  const attn::Execution& execution = session.execution();
  const attn::Shape x = session.inputs.shape(o.samples.x), y = session.inputs.shape(o.samples.y);
  if (x.empty() || x.size() > 2) throw attn::shape_error(o.samples.x.text, x, "(n) or (n, d)");
  if (y.empty() || y.size() > 2 || y[0] != x[0])
    throw attn::shape_error(o.samples.y.text, y, std::to_string(x[0]) + " rows as " + o.samples.x.text);
  if (o.smoother.smoother.empty == attn::EmptyWindow::nearest)
    throw Error(ErrorKind::usage, "--empty", "nearest needs all samples, and a state has some", "take another rule");
  attn::Smoother smoother = o.smoother.smoother;
  if (smoother.kernel != attn::Kernel::constant) smoother.bandwidth = bandwidth_of(o);
  const attn::Samples no_samples = read_between(o.samples, 0, 0, session);
  const std::vector<std::string> x_names = cli::names_of(o.samples.x, no_samples.x, session.inputs).columns;
  const TensorView queries = session.read(cli::columns_beside(x_names, "x", o.samples.queries, session));
  const std::size_t m = attn::query_count(queries, x.size() == 2 ? x[1] : 1), C = y.size() == 2 ? y[1] : 1;
  cli::PartHead head(cli::PartKind::attention, "samples", attn::leaf_keys, x[0], o.shard.value_or(cli::Shard{}));

  const attn::DType dtype = no_samples.y.dtype;
  settle_bandwidth(smoother, session);
  attn::StateFinish finish;
  finish.shape = y.size() == 2 ? attn::Shape{m, C} : attn::Shape{m};
  finish.empty = empty_rows_of(smoother.empty);
  head.more = attributes_of(smoother);
  head.more["level"] = attn::scalar_of(o.level);
  finish.stored = attn::is_floating(dtype) ? dtype : attn::DType::f64;

  Leaves leaves(2, m, 2 * C);
  attn::Execution alone = execution.without_progress();
  alone.pool = nullptr;
  constexpr std::size_t at_once = 32;  // leaves in memory
  for (std::size_t first = head.first; first < head.end; first += at_once) {
    const std::size_t last = std::min(head.end, first + at_once), first_row = first * attn::leaf_keys,
                      end_row = std::min(last * attn::leaf_keys, x[0]);
    const attn::Samples samples = read_between(o.samples, first_row, end_row, session);
    std::vector<attn::StateNode> nodes;
    for (std::size_t leaf = first; leaf < last; ++leaf) nodes.push_back(leaves.leaf(leaf));
    const auto operations = static_cast<double>((end_row - first_row) * m) * static_cast<double>(3 * x.size() + 6 * C);
    if (!execution.only_counts(operations))
      execution.parallel(last - first, [&](std::size_t at, std::size_t) {
        const attn::Samples leaf = samples_of(first + at, samples, first_row, missing_values(o.samples));
        fill(nodes[at], attn::partial_sums(leaf, queries, smoother, alone));
      });
    for (attn::StateNode& node : nodes) leaves.add(std::move(node), execution.isa);
    session.inputs.release(o.samples.x, samples.x);
    session.inputs.release(o.samples.y, samples.y);
    if (samples.weights) session.inputs.release(o.samples.weights, *samples.weights);
    if (execution.progress) execution.progress(last, head.end);
  }
  cli::write_state(o.output, std::move(head), leaves.take(std::move(finish)), "regression", session);
}

}  // namespace nwreg
