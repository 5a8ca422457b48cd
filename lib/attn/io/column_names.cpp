#include <attn/io/column_names.hpp>
#include <attn/io/number_text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <type_traits>

namespace attn::io {
namespace {

std::string text_of(const std::string& name) { return name; }

template <class T>
std::string text_of(T number) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// Slashes, or none, and then a number?
bool is_number_behind_slashes(std::string_view name) {
  return is_number(name.substr(std::min(name.find_first_not_of('/'), name.size())));
}

}  // namespace

std::vector<std::string> column_names(const Attributes& attributes, std::size_t count) {
  const auto found = attributes.find("columns");
  std::vector<std::string> names;
  if (found == attributes.end()) return names;
  std::visit(
      [&names](const auto& held) {
        using T = std::decay_t<decltype(held)>;
        if constexpr (!std::is_same_v<T, std::string> && !std::is_arithmetic_v<T>)
          for (const auto& name : held) names.push_back(text_of(name));
      },
      found->second);
  return names.size() == count ? names : std::vector<std::string>{};
}

std::string marked_name(const std::string& name) { return is_number_behind_slashes(name) ? '/' + name : name; }

std::string unmarked_name(const std::string& name) {
  return name.size() > 1 && name.front() == '/' && is_number_behind_slashes(name) ? name.substr(1) : name;
}

}  // namespace attn::io
