#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/numbers/numbers.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

namespace attn::io {
namespace {

template <class T>
std::string text_of(const T& name) {
  if constexpr (std::is_same_v<T, std::string>) {
    return name;
  } else {
    std::array<char, longest_number> text;
    return {text.data(), write_number(text.data(), name)};
  }
}

/// Is it a number after any slashes?
bool is_number_behind_slashes(std::string_view name) {
  return is_number(name.substr(std::min(name.find_first_not_of('/'), name.size())));
}

}  // namespace

std::vector<std::string> column_names(const Attributes& attributes, std::size_t count) {
  const auto found = attributes.find("columns");
  if (found == attributes.end() || found->second.rank() == 0) return {};
  const std::vector<std::string> names = visit_dtype(found->second.dtype, [&](auto sample) {
    std::vector<std::string> texts;
    for (const auto& name : elements_of<decltype(sample)>(found->second)) texts.push_back(text_of(name));
    return texts;
  });
  return names.size() == count ? names : std::vector<std::string>{};
}

std::vector<std::string> datasets_of_columns(const std::vector<std::string>& names, std::size_t count) {
  std::map<std::string, std::size_t> uses;
  std::set<std::string> groups;
  for (const std::string& name : names) {
    ++uses[name];
    for (std::size_t at = name.find('/'); at != name.npos; at = name.find('/', at + 1))
      groups.insert(name.substr(0, at));
  }
  const auto is_own = [&uses](const std::string& name) {
    bool is_path = uses[name] == 1;
    for (std::size_t begin = 0, end = 0; is_path && end != name.npos; begin = end + 1) {
      end = name.find('/', begin);
      const std::string part = name.substr(begin, end - begin), group = name.substr(0, end);
      is_path = !part.empty() && part != "." && (end == name.npos || uses.count(group) == 0);
    }
    return is_path;
  };
  std::vector<std::string> datasets;
  for (std::size_t column = 0; column < count; ++column) {
    std::string number = std::to_string(column);
    while (uses.count(number) > 0 || groups.count(number) > 0) number += '_';
    datasets.push_back(!names.empty() && is_own(names[column]) ? names[column] : number);
  }
  return datasets;
}

bool is_dataset_of_column(const std::string& dataset, const std::vector<std::string>& names) {
  if (names.size() != 1) return false;
  const std::size_t behind_number = std::min(dataset.find_first_not_of("0123456789"), dataset.size());
  const bool is_number = behind_number > 0 && dataset.find_first_not_of('_', behind_number) == dataset.npos;
  return is_number || names.front() == dataset;
}

std::string marked_name(const std::string& name) { return is_number_behind_slashes(name) ? '/' + name : name; }

std::string unmarked_name(const std::string& name) {
  return name.size() > 1 && name.front() == '/' && is_number_behind_slashes(name) ? name.substr(1) : name;
}

std::optional<std::vector<std::size_t>> places_of(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& names) {
  std::vector<std::size_t> places(wanted.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (names == wanted) return places;
  constexpr std::size_t ambiguous = -1;
  std::map<std::string, std::size_t> place_of;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto [known, is_new] = place_of.emplace(names[i], i); !is_new) known->second = ambiguous;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = place_of.find(wanted[i]);
    if (found == place_of.end() || found->second == ambiguous) return std::nullopt;
    places[i] = std::exchange(found->second, ambiguous);
  }
  return places;
}

bool are_counted(const std::vector<std::string>& names) {
  if (names.size() == 1) return true;
  const std::string stem = names.empty() ? "" : names.front().substr(0, names.front().size() - 1);
  for (const std::size_t first : {0, 1}) {
    std::size_t i = 0;
    while (i < names.size() && names[i] == stem + std::to_string(first + i)) ++i;
    if (i == names.size()) return true;
  }
  return false;
}

std::string missing_columns(const std::vector<std::string>& wanted, const std::vector<std::string>& names) {
  const std::set<std::string> known(names.begin(), names.end());
  std::vector<std::string> missing;
  for (const std::string& name : wanted)
    if (known.count(name) == 0) missing.push_back('\'' + name + '\'');
  return missing.empty() ? "" : (missing.size() == 1 ? "column " : "columns ") + listed(missing);
}

std::string column_difference(const std::vector<std::string>& wanted, const std::vector<std::string>& names,
                              const std::string& other) {
  if (const std::string lacking = missing_columns(wanted, names); !lacking.empty())
    return "has no " + lacking + ", which " + other + " has";
  if (const std::string extra = missing_columns(names, wanted); !extra.empty())
    return (extra.rfind("columns", 0) == 0 ? "has " : "has a ") + extra + ", which " + other + " has not";
  return "has several columns of one name, in other places than " + other;
}

}  // namespace attn::io
