#pragma once
// The tensors, groups and unreadable entries of a file that an operand and --select choose.

#include "cli/selection.hpp"
#include "tconv/options.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tconv {

/// Does a pattern of --select match, or is there no pattern?
bool is_selected(const Options& o, const std::string& name);

/// The entry of a list with this name, or the entries in the group of this name; all if the name is empty.
template <class Entry>
std::vector<Entry> members(const std::vector<Entry>& entries, const std::string& name) {
  std::vector<Entry> inside;
  for (const Entry& entry : entries) {
    if (!name.empty() && entry.name == name) return {entry};
    if (cli::is_within(entry.name, name)) inside.push_back(entry);
  }
  return inside;
}

template <class Entry>
std::vector<Entry> selected(const Options& o, std::vector<Entry> entries) {
  const auto is_left_out = [&o](const Entry& entry) { return !is_selected(o, entry.name); };
  entries.erase(std::remove_if(entries.begin(), entries.end(), is_left_out), entries.end());
  return entries;
}

}  // namespace tconv
