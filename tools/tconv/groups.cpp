#include "tconv/groups.hpp"

#include <algorithm>

namespace tconv {

bool is_within(const std::string& name, const std::string& group) {
  return group.empty() || name == group || name.compare(0, group.size() + 1, group + "/") == 0;
}

std::vector<std::string> selected_groups(const attn::Source& source, const std::string& place,
                                         const IsSelected& is_selected) {
  std::vector<std::string> selected;
  for (const std::string& group : source.groups()) {
    const auto is_wanted = [&](const attn::TensorInfo& info) {
      return is_within(info.name, group) && is_selected(info.name);
    };
    const auto& tensors = source.tensors();
    if (is_within(group, place) && (is_selected(group) || std::any_of(tensors.begin(), tensors.end(), is_wanted)))
      selected.push_back(group);
  }
  return selected;
}

void Groups::add(const attn::Source& source, const std::string& name, attn::Attributes attributes) {
  const auto is_inside = [&name](const attn::TensorInfo& info) { return is_within(info.name, name); };
  const auto& tensors = source.tensors();
  Group& group = groups_[name];
  group.had_tensors = group.had_tensors || std::any_of(tensors.begin(), tensors.end(), is_inside);
  group.attributes.merge(attributes);
}

cli::GroupAttributes Groups::beside(const std::vector<std::string>& tensors) const {
  cli::GroupAttributes chosen;
  for (const auto& [name, group] : groups_) {
    const auto is_inside = [&name = name](const std::string& tensor) {
      return tensor != name && is_within(tensor, name);
    };
    if (group.attributes.empty()) continue;
    if (name.empty() || !group.had_tensors || std::any_of(tensors.begin(), tensors.end(), is_inside))
      chosen[name] = group.attributes;
  }
  return chosen;
}

}  // namespace tconv
