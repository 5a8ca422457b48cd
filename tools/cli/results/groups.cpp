#include "cli/results/groups.hpp"

#include <attn/core/characters.hpp>

namespace cli {

bool is_within(const std::string& name, const std::string& group) {
  return group.empty() || name == group || attn::starts_with(name, group + "/");
}

void add_groups_of(const std::string& name, std::set<std::string>& groups) {
  for (std::size_t slash = name.rfind('/'); slash != std::string::npos && slash > 0; slash = name.rfind('/', slash - 1))
    if (!groups.insert(name.substr(0, slash)).second) return;  // its parents are known too
}

std::vector<std::string> selected_groups(const attn::Source& source, const std::string& place,
                                         const IsSelected& is_selected) {
  std::set<std::string> wanted;
  for (const attn::TensorInfo& info : source.tensors())
    if (is_selected(info.name)) add_groups_of(info.name, wanted);
  std::vector<std::string> selected;
  for (const std::string& group : source.groups())
    if (is_within(group, place) && (wanted.count(group) > 0 || is_selected(group))) selected.push_back(group);
  return selected;
}

}  // namespace cli
