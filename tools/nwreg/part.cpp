#include "nwreg/part.hpp"

#include "cli/numbers.hpp"
#include "nwreg/fits.hpp"

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

/// What an empty window gives, as the state of a part says it.
attn::EmptyRows empty_rows_of(attn::EmptyWindow empty) {
  switch (empty) {
    case attn::EmptyWindow::nan: return attn::EmptyRows::nan;
    case attn::EmptyWindow::nearest: return attn::EmptyRows::nearest;
    case attn::EmptyWindow::zero: return attn::EmptyRows::zero;
    case attn::EmptyWindow::error: return attn::EmptyRows::error;
  }
  return attn::EmptyRows::nan;
}

/// Throws Error(usage) if --emit has more than `name`.
void expect_alone(const Options& o, const char* name) {
  if (o.output.emit.size() > 1)
    throw Error(ErrorKind::usage, "--emit", std::string(name) + " is a result of its own", "leave the others out");
}

/// The nodes of a part, which come leaf by leaf.
class Leaves {
 public:
  Leaves(std::size_t heads, std::size_t rows, std::size_t width) {
    part_.sizes.batch = 1;
    part_.sizes.heads = part_.sizes.kv_heads = heads;
    part_.sizes.queries = rows;
    part_.sizes.value_width = width;
  }

  attn::StateNode leaf(std::size_t at) const { return {attn::TreeNode{0, at}, part_.sizes}; }
  void add(attn::StateNode leaf, attn::Isa isa) { attn::append(part_.state, std::move(leaf), isa); }
  /// finish: shape and type of the results, and rule for empty windows.
  attn::AttentionPart take(attn::StateFinish finish) {
    finish.normalize = attn::Normalize::sum;
    finish.has_lse = false;
    part_.finish = std::move(finish);
    return std::move(part_);
  }

 private:
  attn::AttentionPart part_;
};

}  // namespace

void check_shard(const Options& o, cli::Session& session) {
  if (!o.shard && !o.output.wants("state")) return;
  const char* option = o.shard ? "--shard" : "--emit state";
  const bool wants_curve = o.output.wants("bandwidth-curve");
  const auto expect_file = o.output.wants("state") || wants_curve ? cli::expect_state_file : cli::expect_part_file;
  expect_file(o.output, option, session);
  const auto refuse = [&](bool is_given, const char* what, const char* why) {
    if (is_given) throw Error(ErrorKind::usage, what, why, "leave it out");
  };
  refuse(session.gradients.wanted(), option, "is for results, not for gradients");
  refuse(o.leave_one_out, "--loo", "has no parts: predictions of the samples need them all");
  refuse(o.sparse, "--sparse", "has no parts");
  if (o.output.wants("state")) {
    expect_alone(o, "state");
    refuse(o.samples.classify, "--classify", "needs the labels of all samples, and a state has some");
    refuse(!o.samples.categories.categorical.empty(), "--categorical", "needs all samples, and a state has some");
    refuse(!o.samples.categories.ordered.empty(), "--ordered", "needs all samples, and a state has some");
    refuse(o.samples.standardize, "--standardize", "needs all samples, and a state has some");
    refuse(!o.samples.periods.empty(), "--period", "does not go with a state, whose sums are over a line");
    refuse(o.smoother.robust > 0, "--robust", "needs all samples, and a state has some");
    refuse(o.derivative, "--derivative", "does not follow from a state");
  } else if (wants_curve) {
    expect_alone(o, "bandwidth-curve");
    if (!has_grid(o.smoother) || (*o.smoother.bandwidth)[0] == 'g')
      throw Error(ErrorKind::usage, "--bandwidth", "is chosen in parts from a grid alone", "give cv:LOW,HIGH,N");
    refuse(o.samples.queries.given(), "-q", "is for the fit, and --emit bandwidth-curve with --shard makes none");
    return;
  }
  if (!o.samples.queries.given())
    throw Error(ErrorKind::usage, option, "needs queries", "give -q; it may name the samples");
}

cli::PartHead rows_of_shard(const Options& o, const PreparedSamples& data) {
  return {cli::PartKind::rows, "rows", 1, attn::query_count(*data.queries, data.columns()), *o.shard};
}

void settle_bandwidth(const std::vector<attn::Bandwidth>& bandwidths, cli::Session& session) {
  session.settle("--bandwidth", attn::listed(bandwidths, ";", [](const attn::Bandwidth& h) {
                   return h.kind == attn::Bandwidth::Kind::neighbours
                              ? attn::to_string(h)
                              : attn::listed(h.values, ",", [](double value) { return cli::to_text(value); });
                 }));
}

PreparedSamples with_rows(PreparedSamples data, const cli::PartHead& part) {
  const attn::Slab rows{{static_cast<std::int64_t>(part.first), static_cast<std::int64_t>(part.end)}};
  const auto cut = [&](TensorView& x) {
    if (x.rank() > 0 && x.shape[0] == part.all) x = attn::slice(x, rows);
  };
  cut(*data.queries);
  for (TensorView& shown : data.shown_queries.parts) cut(shown);
  return data;
}

void set_rows(std::vector<cli::Result>& results) {
  for (cli::Result& result : results)
    if (result.name != "bandwidth-curve") cli::set_row_axis(result, 0);
}

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
  cli::require_one_time(o.samples.x, o.samples.queries, session);
  const TensorView queries = session.read(cli::columns_beside(x_names, "x", o.samples.queries, session));
  const std::size_t m = attn::query_count(queries, x.size() == 2 ? x[1] : 1), C = y.size() == 2 ? y[1] : 1;
  cli::PartHead head(cli::PartKind::attention, "samples", attn::leaf_keys, x[0], o.shard.value_or(cli::Shard{}));

  const attn::DType dtype = no_samples.y.dtype;
  settle_bandwidth({smoother.bandwidth}, session);
  attn::StateFinish finish;
  finish.shape = y.size() == 2 ? attn::Shape{m, C} : attn::Shape{m};
  finish.empty = empty_rows_of(smoother.empty);
  head.more = attributes_of(smoother);
  head.more["level"] = attn::scalar_of(o.band.level);
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

void write_criterion(const Options& o, const PreparedSamples& data, const attn::KernelRegression& all,
                     cli::Session& session) {
  if (has_own_bandwidths(o.smoother, data))
    throw Error(ErrorKind::usage, "--emit bandwidth-curve",
                "has parts for one bandwidth, and each of the " + std::to_string(data.value_columns()) +
                    " columns of y has its own",
                "give --common-bandwidth, or one column at a time");
  const attn::SelectionParameters parameters = selection_parameters(o.smoother, data);
  const attn::Execution execution = session.execution().without_progress();
  with_complete_samples(data, all, session, [&](const attn::KernelRegression& regression) {
    const std::size_t outputs = regression.outputs();
    cli::PartHead head(cli::PartKind::attention, "samples", attn::leaf_keys, regression.size(), *o.shard);
    const attn::LeafRange range{head.first, head.end};
    attn::Smoother smoother = o.smoother.smoother;
    head.more["widths"] = attn::vector_of(parameters.grid);
    Leaves leaves(outputs, parameters.grid.size(), 1);
    std::vector<attn::StateNode> nodes;
    for (std::size_t leaf = range.first; leaf < range.last; ++leaf) {
      nodes.push_back(leaves.leaf(leaf));
      std::fill_n(nodes.back().maximum.data_as<double>(), nodes.back().maximum.size(), 0.0);
    }
    const std::size_t widths = execution.dry_run != nullptr || nodes.empty() ? 0 : parameters.grid.size();
    for (std::size_t at = 0; at < widths; ++at) {
      smoother.bandwidth = attn::Bandwidth::number(parameters.grid[at]);
      const std::vector<attn::LeafSums> sums =
          attn::leave_one_out_loss(regression, smoother, parameters.loss, range, execution);
      for (std::size_t leaf = 0; leaf < nodes.size(); ++leaf)
        for (std::size_t c = 0; c < outputs; ++c) {
          nodes[leaf].output.data_as<double>()[c * widths + at] = sums[c].loss[leaf];
          nodes[leaf].total.data_as<double>()[c * widths + at] = sums[c].weight[leaf];
        }
      if (session.execution().progress) session.execution().progress(at + 1, widths);
    }
    for (attn::StateNode& node : nodes) leaves.add(std::move(node), execution.isa);
    cli::write_state(o.output, std::move(head), leaves.take({}), "criterion", session);
  });
}

}  // namespace nwreg
