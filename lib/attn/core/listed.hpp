#pragma once
// Lists in messages.

#include <attn/core/api.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ATTN_API attn {

/// "a, b, c", where `text` gives the text of an item.
template <class Items, class Text>
std::string listed(const Items& items, std::string_view separator, const Text& text) {
  std::string list;
  bool is_first = true;
  for (const auto& item : items) {
    if (!std::exchange(is_first, false)) list += separator;
    list += text(item);
  }
  return list;
}

/// The same for texts and integers.
template <class Items>
std::string listed(const Items& items, std::string_view separator = ", ") {
  return listed(items, separator, [](const auto& item) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(item)>>)
      return std::to_string(item);
    else
      return std::string_view(item);
  });
}

}  // namespace attn
