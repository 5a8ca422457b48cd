#include "tdiff/attributes.hpp"

#include <attn/core/error.hpp>

#include <set>

namespace tdiff {

std::string Place::text(const std::string& attribute) const {
  return source->label() + (name.empty() ? "" : ":/" + name) + "@" + attribute;
}

attn::Attributes Place::attributes() const {
  if (!is_there) return {};
  for (const attn::Unreadable& other : source->unreadable_attributes(name))
    throw attn::Error(attn::ErrorKind::data, text(other.name), other.reason, "leave out --strict");
  attn::Attributes attributes = source->attributes(name);
  attributes.erase("history");
  return attributes;
}

void compare_attributes(const Place& a, const Place& b, const CompareTensors& compare, DifferenceReport& report) {
  const attn::Attributes first = a.attributes(), second = b.attributes();
  for (const auto& [name, value] : first) {
    const auto other = second.find(name);
    if (other == second.end())
      report.only_a.push_back(a.text(name));
    else
      report.attributes.push_back(
          compare(attn::renamed(value, a.text(name)), attn::renamed(other->second, b.text(name))));
  }
  for (const auto& attribute : second)
    if (first.count(attribute.first) == 0) report.only_b.push_back(b.text(attribute.first));
}

void compare_groups(const attn::Source& a, const attn::Source& b, const CompareTensors& compare,
                    DifferenceReport& report) {
  std::set<std::string> names = {""};
  for (const attn::Source* source : {&a, &b}) names.insert(source->groups().begin(), source->groups().end());
  for (const std::string& name : names)
    compare_attributes({&a, name, a.has_group(name)}, {&b, name, b.has_group(name)}, compare, report);
}

}  // namespace tdiff
