#include "nwreg/part.hpp"

#include "cli/numbers.hpp"
#include "cli/options/attention.hpp"
#include "cli/results/state_file.hpp"

#include <attn/core/error.hpp>
#include <attn/core/hash.hpp>
#include <attn/core/slab.hpp>
#include <attn/core/values.hpp>
#include <attn/core/version.hpp>
#include <attn/regression/partial_sums.hpp>

#include <algorithm>
#include <cmath>

namespace nwreg {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

attn::EmptyRows empty_rows_of(attn::EmptyWindow empty) {
  switch (empty) {
    case attn::EmptyWindow::nan: return attn::EmptyRows::nan;
    case attn::EmptyWindow::nearest: return attn::EmptyRows::nearest;
    case attn::EmptyWindow::zero: return attn::EmptyRows::zero;
    case attn::EmptyWindow::error: return attn::EmptyRows::error;
  }
  return attn::EmptyRows::nan;
}

std::string joined(const std::vector<double>& numbers) {
  std::string list;
  for (const double number : numbers) list += (list.empty() ? "" : ",") + cli::to_text(number);
  return list;
}

/// All that decides the numbers, apart from samples and queries.
cli::PartOptions options_of(const Options& o, const attn::Smoother& s) {
  const bool is_of_neighbours = s.bandwidth.kind == attn::Bandwidth::Kind::neighbours;
  return {{"--kernel", std::string(attn::name_of(s.kernel))},
          {"--scale-convention", std::string(attn::name_of(s.scale_convention))},
          {"--bandwidth", is_of_neighbours ? attn::to_string(s.bandwidth) : joined(s.bandwidth.values)},
          {"--category-kernel", std::string(attn::name_of(s.category_kernel))},
          {"--degree", std::to_string(s.degree)},
          {"--robust", std::to_string(o.smoother.robust)},
          {"--causal", s.causal ? "yes" : "no"},
          {"--decay", cli::to_text(s.decay)},
          {"--empty", cli::word_of(cli::empty_rows(), empty_rows_of(s.empty))},
          {"--method", std::string(attn::name_of(s.method))},
          {"--tol", cli::to_text(s.tolerance)},
          {"--level", cli::to_text(o.level)},
          {"--derivative", o.derivative ? "yes" : "no"}};
}

void add_samples(cli::PartOptions& options, const attn::Samples& samples) {
  options.emplace_back("x", cli::hash_of(samples.x));
  options.emplace_back("y", cli::hash_of(samples.y));
  options.emplace_back("the sample weights", samples.weights ? cli::hash_of(*samples.weights) : "none");
}

cli::StateHeader header_of(cli::StateKind kind, cli::PartOptions options, const cli::Shard& shard, std::size_t keys,
                           const cli::Session& session) {
  cli::StateHeader header;
  header.version = attn::version();
  header.instruction_set = attn::name_of(session.execution().isa);
  header.options = std::move(options);
  header.shards = shard.count;
  header.kind = kind;
  header.keys = keys;
  header.finish.normalize = attn::Normalize::sum;
  header.finish.has_lse = false;
  return header;
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
  void add(attn::StateNode leaf, std::uint64_t content, attn::Isa isa) {
    contents_.push_back({leaf.place.index, content});
    attn::append(part_.state, std::move(leaf), isa);
  }
  attn::AttentionPart take() {
    for (const attn::StateNode& node : part_.state.nodes) {
      part_.content.push_back(0);
      for (const auto& [leaf, content] : contents_)
        if (node.place.first_leaf() <= leaf && leaf < node.place.end_leaf()) part_.content.back() ^= content;
    }
    return std::move(part_);
  }

 private:
  attn::AttentionPart part_;
  std::vector<std::pair<std::size_t, std::uint64_t>> contents_;
};

void expect_alone(const Options& o, const char* name) {
  if (o.output.emit.size() > 1)
    throw Error(ErrorKind::usage, "--emit", std::string(name) + " is a result of its own", "leave the others out");
}

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
  const bool draws = !o.plot.fit_file.empty() || !o.plot.weights_file.empty() || !o.plot.kernel_file.empty();
  refuse(draws, option, "is for results, not for pictures");
  refuse(session.gradients.wanted(), option, "is for results, not for gradients");
  refuse(o.leave_one_out, "--loo", "has no parts: predictions of the samples need them all");
  refuse(o.sparse, "--sparse", "has no parts");
  if (o.output.wants("state")) {
    expect_alone(o, "state");
    refuse(o.samples.classify, "--classify", "needs the labels of all samples, and a state has some");
    refuse(o.samples.standardize, "--standardize", "needs all samples, and a state has some");
    refuse(o.smoother.robust > 0, "--robust", "needs all samples, and a state has some");
    refuse(o.summary, "--summary", "needs all samples, and a state has some");
    refuse(o.with_query, "--with-query", "is for the result, which tmerge writes");
    refuse(o.derivative, "--derivative", "does not follow from a state");
  } else if (wants_curve) {
    expect_alone(o, "bandwidth-curve");
    if (!has_grid(o.smoother))
      throw Error(ErrorKind::usage, "--bandwidth", "is chosen in parts from a grid alone", "give cv:LOW,HIGH,N");
    refuse(o.samples.queries.given(), "-q", "is for the fit, and --emit bandwidth-curve with --shard makes none");
    return;
  }
  if (!o.samples.queries.given())
    throw Error(ErrorKind::usage, option, "needs queries", "give -q; it may name the samples");
}

cli::RowPart rows_of_shard(const Options& o, const PreparedSamples& data, const attn::Smoother& smoother,
                           cli::Session& session) {
  cli::PartOptions options = options_of(o, smoother);
  add_samples(options, data.samples);
  options.emplace_back("the queries", cli::hash_of(*data.queries));
  const std::size_t rows = attn::query_count(*data.queries, data.columns());
  return cli::part_of_rows(*o.shard, rows, session.execution().isa, std::move(options));
}

PreparedSamples with_rows(PreparedSamples data, const cli::RowPart& part) {
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

void write_criterion(const Options& o, const PreparedSamples& data, const attn::KernelRegression& all,
                     cli::Session& session) {
  const attn::SelectionParameters parameters = selection_parameters(o.smoother, data);
  const attn::Execution execution = session.execution().without_progress();
  with_complete_samples(data, all, session, [&](const attn::KernelRegression& regression) {
    const std::size_t count = attn::leaves_of(regression.size()), outputs = regression.outputs();
    const attn::LeafRange range{o.shard->first_of(count), o.shard->end_of(count)};
    attn::Smoother smoother = o.smoother.smoother;
    cli::PartOptions options = options_of(o, smoother);
    options.emplace_back("--bandwidth", *o.smoother.bandwidth);
    options.emplace_back("--loss", std::to_string(static_cast<int>(parameters.loss)));
    add_samples(options, data.samples);
    cli::StateHeader header =
        header_of(cli::StateKind::criterion, std::move(options), *o.shard, regression.size(), session);
    header.more["widths"] = attn::vector_of(parameters.grid);
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
    for (attn::StateNode& node : nodes) leaves.add(std::move(node), 0, execution.isa);
    session.write(o.output, cli::state_results(leaves.take()), cli::state_attributes(header));
  });
}

namespace {

/// Samples [first, last), read from their files.
attn::Samples read_between(const SampleOptions& o, std::size_t first, std::size_t last, cli::Session& session) {
  const auto rows = [&](const cli::Input& input) {
    TensorView x = session.inputs.read_rows(input, 0, first, last);
    x.name = input.text + " from row " + std::to_string(first);
    return x;
  };
  attn::Samples samples{rows(o.x), rows(o.y), std::nullopt};
  if (o.weights.given()) samples.weights = rows(o.weights);
  return samples;
}

attn::Samples slice_of(attn::Samples samples, std::size_t first, std::size_t last, attn::MissingValues missing) {
  const attn::Slab rows{{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)}};
  samples.x = attn::slice(samples.x, rows);
  samples.y = attn::slice(samples.y, rows);
  if (samples.weights) samples.weights = attn::slice(*samples.weights, rows);
  const std::vector<std::size_t> complete = attn::complete_rows(samples, missing);
  return complete.size() < last - first ? attn::rows_of(samples, complete) : samples;
}

std::uint64_t hash_of(const attn::Samples& samples, std::size_t leaf) {
  attn::Hash hash;
  hash.add(leaf);
  const auto add = [&](const TensorView& x) {
    const TensorView all = attn::contiguous(x);
    hash.add(all.data, all.bytes());
  };
  add(samples.x);
  add(samples.y);
  if (samples.weights) add(*samples.weights);
  return hash.value();
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
  const attn::Execution& execution = session.execution();
  const attn::Shape x = session.inputs.shape(o.samples.x), y = session.inputs.shape(o.samples.y);
  if (x.empty() || x.size() > 2) throw attn::shape_error(o.samples.x.text, x, "(n) or (n, d)");
  if (y.empty() || y.size() > 2 || y[0] != x[0])
    throw attn::shape_error(o.samples.y.text, y, std::to_string(x[0]) + " rows as " + o.samples.x.text);
  if (o.smoother.smoother.empty == attn::EmptyWindow::nearest)
    throw Error(ErrorKind::usage, "--empty", "nearest needs all samples, and a state has some", "take another rule");
  attn::Smoother smoother = o.smoother.smoother;
  if (smoother.kernel != attn::Kernel::constant) smoother.bandwidth = bandwidth_of(o);
  const TensorView queries = session.read(static_cast<const cli::Input&>(o.samples.queries));
  const std::size_t m = attn::query_count(queries, x.size() == 2 ? x[1] : 1), C = y.size() == 2 ? y[1] : 1;
  const cli::Shard shard = o.shard.value_or(cli::Shard{});
  const std::size_t count = attn::leaves_of(x[0]), end = shard.end_of(count);

  cli::PartOptions options = options_of(o, smoother);
  options.emplace_back("--missing", std::to_string(static_cast<int>(o.samples.missing)));
  options.emplace_back("--sample-weights", o.samples.weights.given() ? "given" : "none");
  options.emplace_back("the queries", cli::hash_of(queries));
  cli::StateHeader header = header_of(cli::StateKind::regression, std::move(options), shard, x[0], session);
  header.finish.shape = y.size() == 2 ? attn::Shape{m, C} : attn::Shape{m};
  header.finish.empty = empty_rows_of(smoother.empty);
  header.more["level"] = attn::scalar_of(o.level);
  const attn::DType dtype = read_between(o.samples, 0, 0, session).y.dtype;
  header.finish.stored = attn::is_floating(dtype) ? dtype : attn::DType::f64;

  Leaves leaves(2, m, 2 * C);
  attn::Execution alone = execution.without_progress();
  alone.pool = nullptr;
  constexpr std::size_t at_once = 32;  // leaves in memory
  for (std::size_t first = shard.first_of(count); first < end; first += at_once) {
    const std::size_t last = std::min(end, first + at_once), first_row = first * attn::leaf_keys,
                      end_row = std::min(last * attn::leaf_keys, x[0]);
    const attn::Samples samples = read_between(o.samples, first_row, end_row, session);
    std::vector<attn::StateNode> nodes;
    std::vector<std::uint64_t> contents(last - first);
    for (std::size_t leaf = first; leaf < last; ++leaf) nodes.push_back(leaves.leaf(leaf));
    const auto operations = static_cast<double>((end_row - first_row) * m) * static_cast<double>(3 * x.size() + 6 * C);
    if (!execution.only_counts(operations))
      execution.parallel(last - first, [&](std::size_t at, std::size_t) {
        const attn::Samples leaf =
            slice_of(samples, at * attn::leaf_keys, std::min((at + 1) * attn::leaf_keys, end_row - first_row),
                     missing_values(o.samples));
        fill(nodes[at], attn::partial_sums(leaf, queries, smoother, alone));
        contents[at] = hash_of(leaf, first + at);
      });
    for (std::size_t at = 0; at < nodes.size(); ++at) leaves.add(std::move(nodes[at]), contents[at], execution.isa);
    session.inputs.release(o.samples.x, samples.x);
    session.inputs.release(o.samples.y, samples.y);
    if (samples.weights) session.inputs.release(o.samples.weights, *samples.weights);
    if (execution.progress) execution.progress(last, end);
  }
  session.write(o.output, cli::state_results(leaves.take()), cli::state_attributes(header));
}

}  // namespace nwreg
