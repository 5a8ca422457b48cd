#include "tconv/groups.hpp"

#include "cli/selection.hpp"

#include <set>

namespace tconv {
void Groups::add(const attn::Source& source, const std::vector<std::string>& names,
                 const std::function<attn::Attributes(const std::string& name)>& attributes_of) {
  std::set<std::string> inhabited;
  for (const attn::TensorInfo& info : source.tensors()) cli::add_groups_of(info.name, inhabited);
  for (const std::string& name : names) {
    Group& group = groups_[name];
    group.had_tensors = group.had_tensors || inhabited.count(name) > 0;
    attn::Attributes attributes = attributes_of(name);
    group.attributes.merge(attributes);
  }
}

cli::GroupAttributes Groups::beside(const std::vector<std::string>& tensors) const {
  std::set<std::string> inhabited;
  for (const std::string& tensor : tensors) cli::add_groups_of(tensor, inhabited);
  cli::GroupAttributes chosen;
  for (const auto& [name, group] : groups_)
    if (!group.attributes.empty() && (name.empty() || !group.had_tensors || inhabited.count(name) > 0))
      chosen[name] = group.attributes;
  return chosen;
}

}  // namespace tconv
