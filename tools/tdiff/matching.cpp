#include "tdiff/matching.hpp"

#include "cli/results/groups.hpp"

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

Matching match(const Collection& a, const Collection& b) {
  Matching m;
  const auto first = names_in(a), second = names_in(b);
  if (first.size() == 1 && second.size() == 1) {
    m.both.push_back({first.front().second, second.front().second});
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
