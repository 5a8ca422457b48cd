#include <attn/core/values.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/number_text.hpp>
#include <attn/io/write_number.hpp>

#include <algorithm>
#include <array>
#include <map>
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

/// Slashes, or none, and then a number?
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
  for (const std::string& name : names) ++uses[name];
  std::vector<std::string> datasets;
  for (std::size_t column = 0; column < count; ++column) {
    std::string number = std::to_string(column);
    while (uses.count(number) > 0) number += '_';
    const std::string name = names.empty() ? "" : names[column];
    const bool is_own = uses[name] == 1 && !name.empty() && name != "." && name.find('/') == std::string::npos;
    datasets.push_back(is_own ? name : number);
  }
  return datasets;
}

std::string marked_name(const std::string& name) { return is_number_behind_slashes(name) ? '/' + name : name; }

std::string unmarked_name(const std::string& name) {
  return name.size() > 1 && name.front() == '/' && is_number_behind_slashes(name) ? name.substr(1) : name;
}

}  // namespace attn::io
