#include <attn/core/error.hpp>
#include <attn/core/values.hpp>
#include <attn/io/column_names.hpp>
#include <attn/io/number_text.hpp>
#include <attn/io/write_number.hpp>

#include <algorithm>
#include <array>
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

std::string dataset_of_column(const std::vector<std::string>& names, std::size_t column, const std::string& label) {
  const std::string number = std::to_string(column);
  if (names.empty()) return number;
  if (!names[column].empty() && std::count(names.begin(), names.end(), names[column]) == 1) return names[column];
  if (std::find(names.begin(), names.end(), number) == names.end()) return number;
  throw Error(ErrorKind::data, label,
              "has a column '" + number + "' beside column " + number + ", which lacks a name of its own",
              "give each a name of its own in the header");
}

std::string marked_name(const std::string& name) { return is_number_behind_slashes(name) ? '/' + name : name; }

std::string unmarked_name(const std::string& name) {
  return name.size() > 1 && name.front() == '/' && is_number_behind_slashes(name) ? name.substr(1) : name;
}

}  // namespace attn::io
