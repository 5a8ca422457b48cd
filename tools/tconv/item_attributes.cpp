#include "tconv/item_attributes.hpp"

#include "tconv/rearrange.hpp"

#include <attn/core/values.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace tconv {

using attn::TensorView;

namespace {

bool are_same(const TensorView& a, const TensorView& b) {
  if (a.dtype != b.dtype || a.shape != b.shape) return false;
  return attn::visit_dtype(a.dtype, [&](auto sample) {
    using T = decltype(sample);
    const std::vector<T> x = attn::elements_of<T>(a), y = attn::elements_of<T>(b);
    if constexpr (std::is_same_v<T, std::string>)
      return x == y;
    else
      return x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;  // NaN is what it is
  });
}

}  // namespace

bool has_column_names(const Item& item) {
  const std::size_t columns = item.tensor.rank() < 2 ? 1 : item.tensor.shape.back();
  return !attn::io::column_names(item.attributes, columns).empty();
}

attn::Attributes shared_attributes(const std::vector<Item>& items) {
  attn::Attributes shared = items.front().attributes;
  const auto differs = [&](const auto& attribute) {
    return std::any_of(items.begin(), items.end(), [&](const Item& item) {
      const auto other = item.attributes.find(attribute.first);
      return other == item.attributes.end() || !are_same(attribute.second, other->second);
    });
  };
  for (auto it = shared.begin(); it != shared.end();) it = differs(*it) ? shared.erase(it) : std::next(it);
  return shared;
}

std::optional<TensorView> joined_columns(const std::vector<Item>& items) {
  std::vector<TensorView> names;
  for (const Item& item : items) {
    const auto columns = item.attributes.find("columns");
    if (columns == item.attributes.end()) return std::nullopt;
    if (!names.empty() && columns->second.dtype != names.front().dtype) return std::nullopt;
    names.push_back(columns->second);
  }
  return concatenated(names, 0);
}

std::vector<attn::Attributes> split_attributes(const Item& item, std::int64_t axis, std::size_t parts,
                                               std::size_t count) {
  attn::Attributes all = item.attributes;
  std::vector<TensorView> names;
  const auto columns = all.find("columns");
  const bool is_last = resolve_axis(axis, item.tensor.rank(), "--split") + 1 == item.tensor.rank();
  const bool is_matrix = item.tensor.rank() >= (parts > 0 ? 2 : 3);
  if (columns != all.end() && is_last && is_matrix && parts > 0) names = split(columns->second, 0, parts);
  if (is_last || !is_matrix) all.erase("columns");
  std::vector<attn::Attributes> result(count, all);
  for (std::size_t i = 0; i < names.size(); ++i) result[i]["columns"] = names[i];
  return result;
}

}  // namespace tconv
