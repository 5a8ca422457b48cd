#pragma once
// A set of strings, searched byte by byte.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace attn::text {

/// A trie with its edges in one open-addressing table: a step costs one look-up, and memory depends only on the number
/// of edges. Nodes are numbered from 0, the root.
class Trie {
 public:
  using Node = std::uint32_t;
  static constexpr Node root = 0;
  static constexpr Node none = 0xFFFFFFFF;
  static constexpr std::uint32_t no_value = 0xFFFFFFFF;

  Trie();
  void reserve(std::size_t bytes);
  /// value < no_value; the last value of a string counts.
  void add(std::string_view text, std::uint32_t value);

  Node step(Node node, unsigned char byte) const noexcept {
    if (node == root) return first_[byte];
    const std::uint64_t key = key_of(node, byte);
    for (std::size_t slot = slot_of(key);; slot = (slot + 1) & (edges_.size() - 1)) {
      if (edges_[slot].key == key) return edges_[slot].child;
      if (edges_[slot].key == 0) return none;
    }
  }
  /// The node at the end of text, or none.
  Node walk(std::string_view text) const noexcept;
  /// The value of the string that ends at a node, or no_value.
  std::uint32_t value(Node node) const noexcept { return values_[node]; }

 private:
  struct Edge {
    std::uint64_t key = 0;  // node and byte; the root's edges are in first_, so 0 is free
    Node child = none;
  };
  static std::uint64_t key_of(Node node, unsigned char byte) noexcept { return std::uint64_t{node} << 8 | byte; }
  std::size_t slot_of(std::uint64_t key) const noexcept { return (key * 0x9E3779B97F4A7C15u) >> shift_; }
  Node child(Node node, unsigned char byte);
  void resize(std::size_t slots);

  std::array<Node, 256> first_;
  std::vector<Edge> edges_;
  unsigned shift_ = 0;
  std::vector<std::uint32_t> values_;
};

}  // namespace attn::text
