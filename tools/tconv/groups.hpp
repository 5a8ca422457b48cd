#pragma once
// Attributes of groups and of whole files on their way through tconv.

#include "cli/result.hpp"

#include <attn/core/stream.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tconv {

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
