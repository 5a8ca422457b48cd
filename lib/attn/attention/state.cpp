#include <attn/attention/state.hpp>

#include <attn/attention/inner/row_states.hpp>
#include <attn/core/constants.hpp>

#include <algorithm>

namespace attn {
namespace {

NodeStack stack_of(AttentionState& state, Isa isa) {
  std::vector<NodeRows> memory;
  std::vector<TreeNode> places;
  for (StateNode& node : state.nodes) {
    memory.push_back(rows_of(node));
    places.push_back(node.place);
  }
  const Tensor& output = state.nodes.front().output;
  return NodeStack(state.nodes.front().total.size(), output.shape().back(), isa, std::move(memory), places);
}

}  // namespace

StateNode::StateNode(const TreeNode& at, const AttentionSizes& n)
    : place(at),
      maximum(DType::f64, {n.batch, n.heads, n.queries}),
      total(Tensor::zeros(DType::f64, {n.batch, n.heads, n.queries})),
      output(Tensor::zeros(DType::f64, {n.batch, n.heads, n.queries, n.value_width})) {
  std::fill_n(maximum.data_as<double>(), maximum.size(), -infinity);
}

void append(AttentionState& state, StateNode next, Isa isa) {
  if (state.nodes.empty()) return state.nodes.push_back(std::move(next));
  const Shape& shape = state.nodes.front().output.shape();
  if (next.output.shape() != shape)
    throw shape_error("state", next.output.shape(), to_string(shape) + " as the state that it is joined to");
  std::vector<TreeNode> places;
  for (const StateNode& node : state.nodes) places.push_back(node.place);
  const std::size_t before = places.size();
  add_place(places, next.place);
  if (places.size() > before) return state.nodes.push_back(std::move(next));
  const NodeRows rows = rows_of(next);
  const AddedRows<double> added{rows.maximum, rows.total, rows.output, shape.back()};
  stack_of(state, isa).add(next.place, &added);
  state.nodes.resize(places.size());
  state.nodes.back().place = places.back();
}

StateNode root_of(AttentionState state, const AttentionSizes& sizes, Isa isa) {
  if (state.nodes.empty()) return StateNode({}, sizes);
  stack_of(state, isa).root();
  return std::move(state.nodes.front());
}

}  // namespace attn
