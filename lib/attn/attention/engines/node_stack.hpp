#pragma once
// The nodes of the tree over leaves (state.hpp) that some rows have so far, each joined with its sibling as soon as
// both are there.

#include <attn/attention/state.hpp>

#include <utility>

namespace attn {

/// Rows of a node in memory.
struct NodeRows {
  double* maximum = nullptr;  ///< (rows)
  double* total = nullptr;    ///< (rows)
  double* output = nullptr;   ///< (rows, d_v)
};

/// All rows of a node, from `first` on.
inline NodeRows rows_of(StateNode& node, std::size_t first = 0) {
  const std::size_t d_v = node.output.shape().back();
  return {node.maximum.data_as<double>() + first, node.total.data_as<double>() + first,
          node.output.data_as<double>() + first * d_v};
}

/// Rows of a node that is added, in f32 or f64.
template <class T>
struct AddedRows {
  const T* maximum = nullptr;  ///< (rows)
  const T* total = nullptr;    ///< (rows)
  const T* output = nullptr;   ///< (rows, stride), of which d_v count
  std::size_t stride = 0;
};

/// Adds the place of a node that comes next, and joins siblings.
void add_place(std::vector<TreeNode>& places, const TreeNode& next);

/// The largest number of nodes while leaves [first, last) are added.
std::size_t most_places(std::vector<TreeNode> places, std::size_t first, std::size_t last);

class NodeStack {
 public:
  /// memory: of the nodes from left to right, as many as there will be at once; the first ones have the rows of
  /// `places`.
  NodeStack(std::size_t rows, std::size_t width, Isa isa, std::vector<NodeRows> memory,
            const std::vector<TreeNode>& places = {});

  /// Adds the node after the last one; null: none of these rows attends to a key of it.
  template <class T>
  void add(const TreeNode& place, const AddedRows<T>* rows);

  /// Joins all nodes, of which the last has the last key.
  const NodeRows& root();

  /// Writes the rows of nodes without a key.
  void write_empty();

 private:
  struct Node {
    TreeNode place;
    bool is_empty = false;
  };
  template <class T>
  void join(std::size_t at, const AddedRows<T>& later);
  template <class T>
  void merge_last(const AddedRows<T>& last);
  void join_last();
  void join_siblings();

  std::size_t rows_, width_;
  Isa isa_;
  std::vector<NodeRows> memory_;
  std::vector<Node> nodes_;
};

}  // namespace attn
