#include "nwreg/part.hpp"
#include "nwreg/settled_smoother.hpp"

#include <attn/core/source_sink.hpp>

#include <algorithm>

namespace nwreg {

void write_criterion(const Options& o, const PreparedSamples& data, const attn::KernelRegression& all,
                     cli::Session& session) {
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
