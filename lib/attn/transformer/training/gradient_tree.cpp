#include <attn/transformer/gradient_tree.hpp>

namespace attn {
namespace {

void add_last(std::vector<GradientNode>& nodes, const Execution& execution) {
  ParameterGradients last = std::move(nodes.back().gradients);
  nodes.pop_back();
  nodes.back().gradients.add(std::move(last), execution);
}

}  // namespace

void append(std::vector<GradientNode>& nodes, GradientNode next, const Execution& execution) {
  nodes.push_back(std::move(next));
  while (nodes.size() > 1 && are_siblings(nodes[nodes.size() - 2].place, nodes.back().place)) {
    const TreeNode parent = parent_of(nodes.back().place);
    add_last(nodes, execution);
    nodes.back().place = parent;
  }
}

ParameterGradients root_of(std::vector<GradientNode> nodes, const Execution& execution) {
  while (nodes.size() > 1) add_last(nodes, execution);
  return std::move(nodes.front().gradients);
}

}  // namespace attn
