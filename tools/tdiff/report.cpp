#include "tdiff/report.hpp"

#include "cli/results/statistics.hpp"
#include "cli/standard_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace tdiff {
namespace {

using cli::Difference;

using Json = nlohmann::ordered_json;

/// "0: 4, < 1e-07: 1, < 1: 1": how many elements are how far apart.
std::string histogram_text(const Difference& d) {
  std::string text;
  for (std::size_t bin = 0; bin < d.histogram.size(); ++bin) {
    if (d.histogram[bin] == 0) continue;
    const std::string limit = bin == 0                        ? "0"
                              : bin == d.histogram.size() - 1 ? ">= 1"
                                                              : "< " + cli::brief(Difference::limits[bin - 1]);
    text += (text.empty() ? "" : ", ") + limit + ": " + std::to_string(d.histogram[bin]);
  }
  return text;
}

/// Lines for a pair that differs; nothing for an equal pair.
std::string text_of(const Comparison& c, const std::string& place) {
  if (c.equal()) return "";
  const std::string start = cli::printable(c.a.name + " and " + c.b.name) + place + ": ";
  if (!c.obstacle.empty()) return start + c.obstacle + '\n';
  return start + cli::printable(cli::to_string(c.difference, "give --ulp 0 to compare them so")) + "\n  apart by " +
         histogram_text(c.difference) + '\n';
}

/// JSON has no infinity: numbers that are not finite become null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const Comparison& c) {
  Json entry = {{"a", c.a.name}, {"b", c.b.name}, {"equal", c.equal()}};
  entry["dtype_a"] = attn::name_of(c.a.dtype);
  entry["dtype_b"] = attn::name_of(c.b.dtype);
  entry["shape_a"] = c.a.shape;
  entry["shape_b"] = c.b.shape;
  if (!c.obstacle.empty()) {
    entry["obstacle"] = c.obstacle;
    return entry;
  }
  const Difference& d = c.difference;
  entry["count"] = d.count;
  entry["differing"] = d.differing;
  entry["max_absolute"] = number(d.absolute);
  entry["max_relative"] = number(d.relative);
  // If one of the two is not finite, there is no distance.
  entry["max_ulp"] = d.all_finite ? Json(d.ulps) : Json(nullptr);
  if (d.count > d.histogram[0]) entry["worst"] = {{"index", d.worst}, {"a", d.a_text}, {"b", d.b_text}};
  Json histogram = Json::array();
  for (std::size_t bin = 0; bin < d.histogram.size(); ++bin)
    if (d.histogram[bin] > 0)
      histogram.push_back({{"below", bin == 0                        ? Json(0)
                                     : bin == d.histogram.size() - 1 ? Json(nullptr)
                                                                     : Json(Difference::limits[bin - 1])},
                           {"count", d.histogram[bin]}});
  entry["histogram"] = histogram;
  return entry;
}

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

bool DifferenceReport::equal() const noexcept {
  const auto all_equal = [](const std::vector<Comparison>& pairs) {
    return std::all_of(pairs.begin(), pairs.end(), [](const Comparison& c) { return c.equal(); });
  };
  return only_a.empty() && only_b.empty() && all_equal(comparisons) && all_equal(attributes);
}

std::string to_text(const DifferenceReport& report) {
  std::string text;
  const std::string place = report.batch > 1 ? ", batch " + std::to_string(report.batch) : "";
  for (const Comparison& c : report.attributes) text += text_of(c, place);
  for (const Comparison& c : report.comparisons) text += text_of(c, place);
  for (const std::string& name : report.only_a) text += cli::printable(name) + place + ": only in the first\n";
  for (const std::string& name : report.only_b) text += cli::printable(name) + place + ": only in the second\n";
  return text;
}

std::string to_json(const DifferenceReport& report) {
  Json json = {{"batch", report.batch}, {"equal", report.equal()}, {"tensors", Json::array()}};
  for (const Comparison& c : report.comparisons) json["tensors"].push_back(json_of(c));
  json["attributes"] = Json::array();
  for (const Comparison& c : report.attributes) json["attributes"].push_back(json_of(c));
  json["only_a"] = report.only_a;
  json["only_b"] = report.only_b;
  json["not_compared"] = report.not_compared;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
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
