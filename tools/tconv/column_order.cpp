#include "tconv/column_order.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tconv {

std::optional<std::vector<std::size_t>> places_of(const Names& wanted, const Names& names) {
  if (names.size() != wanted.size()) return std::nullopt;
  std::vector<std::size_t> places;
  std::map<std::string, std::size_t> place_of;
  for (std::size_t i = 0; i < names.size(); ++i) place_of[names[i]] = i;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = place_of.find(wanted[i]);
    if (names == wanted)
      places.push_back(i);
    else if (place_of.size() == names.size() && found != place_of.end())
      places.push_back(found->second);
    else
      return std::nullopt;
  }
  return places;
}

std::string column_difference(const Names& wanted, const Names& names, const std::string& other) {
  const auto first_beyond = [](const Names& some, const Names& all) {
    const std::set<std::string> known(all.begin(), all.end());
    return std::find_if(some.begin(), some.end(), [&](const std::string& name) { return known.count(name) == 0; });
  };
  if (const auto lacking = first_beyond(wanted, names); lacking != wanted.end())
    return "has no column '" + *lacking + "', which " + other + " has";
  if (const auto extra = first_beyond(names, wanted); extra != names.end())
    return "has a column '" + *extra + "', which " + other + " has not";
  return "has several columns of one name, in other places than " + other;
}

}  // namespace tconv
