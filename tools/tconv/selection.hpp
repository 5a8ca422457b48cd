#pragma once
// Which of a file's tensors, groups and unreadable entries an operand and --select mean.

#include "cli/results/groups.hpp"
#include "tconv/options.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tconv {

/// Does one of --select's patterns match, or is there none?
bool is_selected(const Options& o, const std::string& name);

/// The one of a list that has the name, or those that are in the group of that name; all where there is none.
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
