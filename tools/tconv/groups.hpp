#pragma once
// Attributes of groups and of whole files, carried through tconv.

#include "cli/result.hpp"

#include <attn/core/source_sink.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tconv {

class Groups {
 public:
  /// Groups of a source by name, the empty name for the whole source, with the attributes that `attributes_of` gives.
  /// Of two attributes with one name, the first is kept.
  void add(const attn::Source& source, const std::vector<std::string>& names,
           const std::function<attn::Attributes(const std::string& name)>& attributes_of);

  /// Attributes to write with tensors of these names: those of the file, of groups that were empty before, and of
  /// groups that still have tensors.
  cli::GroupAttributes beside(const std::vector<std::string>& tensors) const;

 private:
  struct Group {
    attn::Attributes attributes;
    bool had_tensors = false;
  };
  std::map<std::string, Group> groups_;
};

}  // namespace tconv
