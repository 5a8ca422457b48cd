#include "tconv/groups.hpp"

#include <set>

namespace tconv {
namespace {

/// The groups that a tensor of that name is in, but for the one without a name.
void add_groups_of(const std::string& name, std::set<std::string>& groups) {
  for (std::size_t slash = name.rfind('/'); slash != std::string::npos && slash > 0; slash = name.rfind('/', slash - 1))
    if (!groups.insert(name.substr(0, slash)).second) return;  // nor are those around it new
}

}  // namespace

bool is_within(const std::string& name, const std::string& group) {
  return group.empty() || name == group || name.compare(0, group.size() + 1, group + "/") == 0;
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

void Groups::add(const attn::Source& source, const std::vector<std::string>& names,
                 const std::function<attn::Attributes(const std::string& name)>& attributes_of) {
  std::set<std::string> inhabited;
  for (const attn::TensorInfo& info : source.tensors()) add_groups_of(info.name, inhabited);
  for (const std::string& name : names) {
    Group& group = groups_[name];
    group.had_tensors = group.had_tensors || inhabited.count(name) > 0;
    attn::Attributes attributes = attributes_of(name);
    group.attributes.merge(attributes);
  }
}

cli::GroupAttributes Groups::beside(const std::vector<std::string>& tensors) const {
  std::set<std::string> inhabited;
  for (const std::string& tensor : tensors) add_groups_of(tensor, inhabited);
  cli::GroupAttributes chosen;
  for (const auto& [name, group] : groups_)
    if (!group.attributes.empty() && (name.empty() || !group.had_tensors || inhabited.count(name) > 0))
      chosen[name] = group.attributes;
  return chosen;
}

}  // namespace tconv
