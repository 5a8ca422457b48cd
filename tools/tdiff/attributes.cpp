#include "tdiff/attributes.hpp"

#include <map>
#include <optional>
#include <utility>

namespace tdiff {
namespace {

/// An attribute: a tensor, or the reason why it is not one.
struct Attribute {
  std::optional<attn::TensorView> value;
  std::string reason;
};

std::map<std::string, Attribute> attributes_at(const Place& place) {
  std::map<std::string, Attribute> attributes;
  if (!place.is_there) return attributes;
  for (const auto& [name, value] : place.source->attributes(place.name))
    attributes[name] = {attn::renamed(value, place.text(name)), ""};
  for (const attn::Unreadable& other : place.source->unreadable_attributes(place.name))
    attributes[other.name] = {std::nullopt, other.reason};
  attributes.erase("history");
  return attributes;
}

}  // namespace

std::string Place::text(const std::string& attribute) const {
  return source->label() + (name.empty() ? "" : ":/" + name) + "@" + attribute;
}

void compare_attributes(const Place& a, const Place& b, const CompareTensors& compare, DifferenceReport& report) {
  const std::map<std::string, Attribute> first = attributes_at(a), second = attributes_at(b);
  // An attribute that is a tensor on only one side is in both lists.
  const auto are_alike = [](const Attribute& one, const Attribute& other) {
    return one.value.has_value() == other.value.has_value() && one.reason == other.reason;
  };
  for (const auto& [name, attribute] : first) {
    const auto other = second.find(name);
    if (other == second.end() || !are_alike(attribute, other->second))
      report.only_a.push_back(a.text(name));
    else if (attribute.value)
      report.attributes.push_back(compare(*attribute.value, *other->second.value));
    else
      report.not_compared.push_back(a.text(name) + " and " + b.text(name) + ": each " + attribute.reason);
  }
  for (const auto& [name, attribute] : second) {
    const auto other = first.find(name);
    if (other == first.end() || !are_alike(attribute, other->second)) report.only_b.push_back(b.text(name));
  }
}

void compare_groups(const Collection& a, const Collection& b, const CompareTensors& compare, DifferenceReport& report) {
  std::map<std::string, std::pair<Place, Place>> places;  // by their names inside the collection
  places.insert({"", {Place{a.source, a.group}, Place{b.source, b.group}}});
  const auto place_in = [](const Collection& collection, const std::string& inner) {
    const std::string name = collection.group.empty() ? inner : collection.group + "/" + inner;
    return Place{collection.source, name, false};
  };
  const auto add = [&](const Collection& collection, bool is_first) {
    for (const std::string& group : collection.source->groups()) {
      if (!collection.holds(group) || group == collection.group) continue;
      const std::string inner = collection.inner(group);
      auto& [of_a, of_b] = places.insert({inner, {place_in(a, inner), place_in(b, inner)}}).first->second;
      (is_first ? of_a : of_b).is_there = true;
    }
  };
  add(a, true);
  add(b, false);
  for (const auto& [inner, pair] : places) compare_attributes(pair.first, pair.second, compare, report);
}

}  // namespace tdiff
