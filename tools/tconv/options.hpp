#pragma once
// Options of tconv, and the tensors, groups and unreadable entries of a file that they choose.

#include "cli/command.hpp"
#include "cli/selection.hpp"
#include "cli/session.hpp"
#include "tconv/changes.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tconv {

struct Options {
  std::vector<std::string> inputs;
  bool list = false, values = false;
  std::vector<std::string> select;
  std::string slab;
  Changes changes;
  cli::Output output;
};

/// Does a pattern of --select match, or is there no pattern?
inline bool is_selected(const Options& o, const std::string& name) {
  return o.select.empty() || std::any_of(o.select.begin(), o.select.end(),
                                         [&](const std::string& glob) { return cli::matches_glob(glob, name); });
}

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
