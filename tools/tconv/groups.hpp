#pragma once
// Attributes of groups and of whole files on their way through tconv.

#include "cli/result.hpp"

#include <attn/core/stream.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tconv {

/// Is this the name of the group or of something in it? Everything is in the group without a name.
bool is_within(const std::string& name, const std::string& group);

using IsSelected = std::function<bool(const std::string& name)>;

/// The groups of a source within `place`, an operand's path, that are selected or have a selected tensor in them.
std::vector<std::string> selected_groups(const attn::Source& source, const std::string& place,
                                         const IsSelected& is_selected);

class Groups {
 public:
  /// Groups of a source by their names, the empty one being the whole of it, with what `attributes_of` says of each. Of
  /// two attributes of one name the first stays.
  void add(const attn::Source& source, const std::vector<std::string>& names,
           const std::function<attn::Attributes(const std::string& name)>& attributes_of);

  /// What goes beside tensors of these names: the attributes of all, of groups that had no tensors before, and of those
  /// that still have some.
  cli::GroupAttributes beside(const std::vector<std::string>& tensors) const;

 private:
  struct Group {
    attn::Attributes attributes;
    bool had_tensors = false;
  };
  std::map<std::string, Group> groups_;
};

}  // namespace tconv
