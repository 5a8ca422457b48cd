#include "tdiff/matching.hpp"

#include "cli/selection.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tdiff {

namespace {

/// Full names by the names inside their collection.
std::vector<std::pair<std::string, std::string>> names_in(const Collection& collection) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const std::string& name : collection.tensors) names.emplace_back(collection.inner(name), name);
  return names;
}

}  // namespace

bool Collection::holds(const std::string& name) const { return cli::is_within(name, group); }

std::string Collection::inner(const std::string& name) const {
  return group.empty() || name == group ? name.substr(group.size()) : name.substr(group.size() + 1);
}

Matching match(const Collection& a, const Collection& b, bool by_position) {
  Matching m;
  const auto first = names_in(a), second = names_in(b);
  const auto has_names = [](const Collection& table) { return !cli::names_to_match(*table.source, "", {}).empty(); };
  const bool are_tables = cli::is_of_columns(*a.source) && cli::is_of_columns(*b.source);
  const bool are_in_order = are_tables && (by_position || !has_names(a) || !has_names(b));
  if (first.size() == second.size() && (first.size() == 1 || are_in_order)) {
    for (std::size_t i = 0; i < first.size(); ++i) m.both.push_back({first[i].second, second[i].second});
    return m;
  }
  const std::map<std::string, std::string> of_a(first.begin(), first.end()), of_b(second.begin(), second.end());
  for (const auto& [inner, name] : first)
    if (const auto other = of_b.find(inner); other != of_b.end())
      m.both.push_back({name, other->second});
    else
      m.only_a.push_back(name);
  for (const auto& [inner, name] : second)
    if (of_a.count(inner) == 0) m.only_b.push_back(name);
  return m;
}

}  // namespace tdiff
