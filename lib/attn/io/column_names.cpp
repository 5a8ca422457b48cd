#include <attn/core/values.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/numbers/parse.hpp>
#include <attn/io/numbers/print.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <type_traits>

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

}  // namespace attn::io
