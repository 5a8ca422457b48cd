#include <attn/text/models/trie.hpp>

namespace attn::text {

Trie::Trie() : values_{no_value} {
  first_.fill(none);
  resize(16);
}

void Trie::reserve(std::size_t bytes) {
  std::size_t slots = edges_.size();
  while (slots < 2 * bytes) slots *= 2;
  if (slots > edges_.size()) resize(slots);
  values_.reserve(bytes);
}

void Trie::add(std::string_view text, std::uint32_t value) {
  Node node = root;
  for (const char byte : text) node = child(node, static_cast<unsigned char>(byte));
  values_[node] = value;
}

Trie::Node Trie::walk(std::string_view text) const noexcept {
  Node node = root;
  for (std::size_t i = 0; i < text.size() && node != none; ++i) node = step(node, static_cast<unsigned char>(text[i]));
  return node;
}

Trie::Node Trie::child(Node node, unsigned char byte) {
  if (const Node found = step(node, byte); found != none) return found;
  const auto created = static_cast<Node>(values_.size());
  values_.push_back(no_value);
  if (node == root) return first_[byte] = created;
  if (2 * values_.size() > edges_.size()) resize(2 * edges_.size());
  const std::uint64_t key = key_of(node, byte);
  std::size_t slot = slot_of(key);
  while (edges_[slot].key != 0) slot = (slot + 1) & (edges_.size() - 1);
  edges_[slot] = {key, created};
  return created;
}

void Trie::resize(std::size_t slots) {
  std::vector<Edge> before(slots);
  before.swap(edges_);
  shift_ = 64;
  for (std::size_t s = slots; s > 1; s /= 2) --shift_;
  for (const Edge& edge : before) {
    if (edge.key == 0) continue;
    std::size_t slot = slot_of(edge.key);
    while (edges_[slot].key != 0) slot = (slot + 1) & (slots - 1);
    edges_[slot] = edge;
  }
}

}  // namespace attn::text
