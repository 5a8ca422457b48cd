#include "tdiff/matching.hpp"

#include <algorithm>

namespace tdiff {

Matching match(const attn::Source& a, const attn::Source& b) {
  Matching m;
  if (a.tensors().size() == 1 && b.tensors().size() == 1) {
    m.both.push_back({a.tensors().front().name, b.tensors().front().name});
    return m;
  }
  for (const attn::TensorInfo& info : a.tensors())
    if (b.find(info.name) != nullptr)
      m.both.push_back({info.name, info.name});
    else
      m.only_a.push_back(info.name);
  for (const attn::TensorInfo& info : b.tensors())
    if (a.find(info.name) == nullptr) m.only_b.push_back(info.name);
  return m;
}

cli::Plan plan_of(const Matching& matching, const attn::Source& a, const attn::Source& b) {
  cli::Plan plan;
  const auto scan = [&plan](const attn::Source& source, const std::string& name) {
    attn::TensorInfo info = source.describe(name);
    const std::size_t elements = attn::element_count(info.shape);
    info.name = source.label() + ":/" + name;
    plan.flops += 1.5 * static_cast<double>(elements);  // of each pair a difference, a product and a comparison
    plan.scanned.push_back(info);
    return elements * attn::element_size(info.dtype);
  };
  for (const auto& [name_a, name_b] : matching.both) {
    const std::size_t first = scan(a, name_a), second = scan(b, name_b);
    plan.scanned_at_once = std::max(plan.scanned_at_once, first + second);
  }
  return plan;
}

}  // namespace tdiff
