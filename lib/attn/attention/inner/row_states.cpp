#include <attn/attention/inner/row_states.hpp>

#include <attn/core/constants.hpp>
#include <attn/simd/reproducible.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace attn {
namespace {

template <class T>
void copy_rows(const AddedRows<T>& from, std::size_t rows, std::size_t width, const NodeRows& to) {
  std::copy_n(from.maximum, rows, to.maximum);
  std::copy_n(from.total, rows, to.total);
  for (std::size_t r = 0; r < rows; ++r) std::copy_n(from.output + r * from.stride, width, to.output + r * width);
}

}  // namespace

void add_place(std::vector<TreeNode>& places, const TreeNode& next) {
  TreeNode last = next;
  for (; !places.empty() && are_siblings(places.back(), last); places.pop_back()) last = parent_of(last);
  places.push_back(last);
}

std::size_t most_places(std::vector<TreeNode> places, std::size_t first, std::size_t last) {
  std::size_t most = places.size();
  for (std::size_t leaf = first; leaf < last; ++leaf) {
    add_place(places, {0, leaf});
    most = std::max(most, places.size());
  }
  return most;
}

NodeStack::NodeStack(std::size_t rows, std::size_t width, Isa isa, std::vector<NodeRows> memory,
                     const std::vector<TreeNode>& places)
    : rows_(rows), width_(width), isa_(isa), memory_(std::move(memory)) {
  for (const TreeNode& place : places) nodes_.push_back({place});
}

template <class T>
void NodeStack::join(std::size_t at, const AddedRows<T>& later) {
  constexpr std::size_t rows_at_once = 64;
  const NodeRows& node = memory_[at];
  const simd::ReproducibleKernels& kernels = simd::reproducible_kernels(isa_);
  double factors[2 * rows_at_once];  // exp(m1 - m), exp(m2 - m) for each row
  for (std::size_t first = 0; first < rows_; first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, rows_ - first);
    for (std::size_t r = 0; r < count; ++r) {
      double& m1 = node.maximum[first + r];
      const double m2 = static_cast<double>(later.maximum[first + r]), m = std::max(m1, m2);
      // Without a key in either, -inf - -inf would be NaN.
      factors[2 * r] = m == -infinity ? 0 : m1 - m;
      factors[2 * r + 1] = m == -infinity ? 0 : m2 - m;
      m1 = m;
    }
    kernels.exp(factors, factors, 2 * count);
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t row = first + r;
      const double a = factors[2 * r], b = factors[2 * r + 1];
      node.total[row] = node.total[row] * a + static_cast<double>(later.total[row]) * b;
      if constexpr (std::is_same_v<T, float>)
        kernels.blend_f32(node.output + row * width_, a, later.output + row * later.stride, b, width_);
      else
        kernels.blend_f64(node.output + row * width_, a, later.output + row * later.stride, b, width_);
    }
  }
}

template <class T>
void NodeStack::add(const TreeNode& place, const AddedRows<T>* rows) {
  nodes_.push_back({place, rows == nullptr});
  if (rows == nullptr) {
    join_siblings();
  } else if (nodes_.size() > 1 && are_siblings(nodes_[nodes_.size() - 2].place, place)) {
    // Without a copy in between.
    merge_last(*rows);
    join_siblings();
  } else {
    copy_rows(*rows, rows_, width_, memory_[nodes_.size() - 1]);
  }
}
template void NodeStack::add(const TreeNode&, const AddedRows<float>*);
template void NodeStack::add(const TreeNode&, const AddedRows<double>*);

/// Joins the last node, whose rows are `last`, to the one before it.
template <class T>
void NodeStack::merge_last(const AddedRows<T>& last) {
  Node& node = nodes_[nodes_.size() - 2];
  const std::size_t at = nodes_.size() - 2;
  if (node.is_empty && !nodes_.back().is_empty)
    copy_rows(last, rows_, width_, memory_[at]);
  else if (!nodes_.back().is_empty)
    join(at, last);
  node = {parent_of(node.place), node.is_empty && nodes_.back().is_empty};
  nodes_.pop_back();
}

void NodeStack::join_last() {
  // The memory of a node that has no keys and no memory of its own is not read.
  NodeRows last;
  if (!nodes_.back().is_empty) last = memory_[nodes_.size() - 1];
  merge_last(AddedRows<double>{last.maximum, last.total, last.output, width_});
}

void NodeStack::join_siblings() {
  while (nodes_.size() > 1 && are_siblings(nodes_[nodes_.size() - 2].place, nodes_.back().place)) join_last();
}

const NodeRows& NodeStack::root() {
  while (nodes_.size() > 1) join_last();
  write_empty();
  return memory_.front();
}

void NodeStack::write_empty() {
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    if (!nodes_[at].is_empty) continue;
    std::fill_n(memory_[at].maximum, rows_, -infinity);
    std::fill_n(memory_[at].total, rows_, 0.0);
    std::fill_n(memory_[at].output, rows_ * width_, 0.0);
    nodes_[at].is_empty = false;
  }
}

RowTotal::RowTotal(const AttentionProblem& problem, std::size_t h, double maximum, double total)
    : is_softmax_(problem.normalize == Normalize::softmax),
      is_empty_((maximum == -std::numeric_limits<double>::infinity() || problem.normalize == Normalize::sum) &&
                total == 0),
      top_(maximum),
      sum_(problem.normalize == Normalize::none ? 1 : total) {
  if (is_empty_ || problem.sinks.empty()) return;
  const double sink = problem.sinks[h];
  top_ = std::max(maximum, sink);
  keep_ = std::exp(maximum - top_);
  sum_ = total * keep_ + std::exp(sink - top_);
}

double RowTotal::lse() const noexcept {
  if (is_empty_) return -std::numeric_limits<double>::infinity();
  return is_softmax_ ? top_ + std::log(sum_) : 0;
}

bool scores_are_beyond(const AttentionProblem& problem, const QueryRow& at, const KeyRange& keys, float maximum,
                       float total) {
  constexpr float most = std::numeric_limits<float>::max();
  if (!(std::abs(total) <= most) || maximum > most) return true;
  return maximum == -std::numeric_limits<float>::infinity() &&
         problem.mask.classify(at.b, at.h, at.i, at.i + 1, keys) != TileKind::empty;
}

}  // namespace attn
