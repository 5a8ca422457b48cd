#pragma once
// The state of rows: the nodes of the tree over leaves (state.hpp) that some rows have so far, each joined with its
// sibling as soon as both are there, and what the state of a row comes to when all keys have been seen.

#include <attn/attention/inner/engine.hpp>
#include <attn/attention/state.hpp>
#include <attn/simd/attention.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

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

/// The maximum and total of a row, joined by the sink of its head where there is one: a logit that takes its share of
/// the total.
class RowTotal {
 public:
  RowTotal(const AttentionProblem& problem, std::size_t h, double maximum, double total);

  /// No key took part, or under `sum` the total is 0.
  bool is_empty() const noexcept { return is_empty_; }
  /// Weights exp(s - maximum), and values pooled by them, times this are those of the normaliser. Not of an empty row.
  double factor() const noexcept { return keep_ / sum_; }
  /// log sum_j exp(s_j), sink included, 0 without a softmax; -inf for an empty row.
  double lse() const noexcept;

 private:
  bool is_softmax_, is_empty_;
  double top_, sum_, keep_ = 1;
};

/// Scores of a row of f32 with some of the keys went beyond its range, so that f64 gives another result: the maximum or
/// the total is no number, or all scores became -inf although keys take part.
bool scores_are_beyond(const AttentionProblem& problem, const QueryRow& at, const KeyRange& keys, float maximum,
                       float total);

}  // namespace attn

namespace attn::fused {

/// Writes rows of the result as Out.
template <class Out>
class RowFinisher {
 public:
  RowFinisher(const AttentionProblem& problem, const AttentionOutputs& outputs, Isa isa)
      : problem_(problem),
        outputs_(outputs),
        kernels_(simd::attention_kernels<Out>(isa)),
        rounded_(problem.sizes.value_width) {}

  /// pooled (d_v): values times the weights exp(s - maximum), whose sum is `total`.
  template <class T>
  void operator()(const QueryRow& at, T maximum, T total, const T* pooled) {
    // A row that f32 holds exactly is a leaf that f32 computed, whose bits do not depend on how it got here.
    if constexpr (std::is_same_v<T, Out>)
      write(at, maximum, total, pooled);
    else if (is_exact(maximum, total, pooled))
      write(at, static_cast<Out>(maximum), static_cast<Out>(total), rounded_.data());
    else
      write(at, maximum, total, pooled);
  }
  std::size_t empty_rows() const noexcept { return empty_rows_; }

 private:
  /// Rounds the row; are all its numbers the same afterwards?
  bool is_exact(double maximum, double total, const double* pooled) {
    const auto is_kept = [](double x, Out rounded) { return static_cast<double>(rounded) == x; };
    bool all = is_kept(maximum, static_cast<Out>(maximum)) && is_kept(total, static_cast<Out>(total));
    for (std::size_t c = 0; c < rounded_.size() && all; ++c) {
      rounded_[c] = static_cast<Out>(pooled[c]);
      all = is_kept(pooled[c], rounded_[c]);
    }
    return all;
  }

  template <class T>
  void write(const QueryRow& at, T maximum, T total, const T* pooled) {
    const AttentionSizes& n = problem_.sizes;
    Out* const out = static_cast<Out*>(outputs_.output) + static_cast<std::ptrdiff_t>(at.b) * outputs_.strides[0] +
                     static_cast<std::ptrdiff_t>(at.h) * outputs_.strides[1] +
                     static_cast<std::ptrdiff_t>(at.i) * outputs_.strides[2];
    const RowTotal row(problem_, at.h, maximum, total);
    if (row.is_empty()) {
      ++empty_rows_;
      const Out filler = problem_.empty == EmptyRows::nan ? std::numeric_limits<Out>::quiet_NaN() : Out(0);
      std::fill_n(out, n.value_width, filler);
    } else {
      const T factor = static_cast<T>(row.factor());
      // Every zero becomes positive, so that its sign does not depend on the keys.
      if constexpr (std::is_same_v<T, Out>)
        kernels_.scale(pooled, n.value_width, factor, out);
      else
        for (std::size_t c = 0; c < n.value_width; ++c) out[c] = static_cast<Out>(pooled[c] * factor + T(0));
    }
    if (outputs_.lse != nullptr)
      static_cast<Out*>(outputs_.lse)[(at.b * n.heads + at.h) * n.queries + at.i] = static_cast<Out>(row.lse());
  }

  const AttentionProblem& problem_;
  const AttentionOutputs& outputs_;
  const simd::AttentionKernels<Out>& kernels_;
  std::size_t empty_rows_ = 0;
  std::vector<Out> rounded_;
};

}  // namespace attn::fused
