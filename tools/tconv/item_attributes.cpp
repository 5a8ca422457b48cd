#include "tconv/item_attributes.hpp"

#include "tconv/joining.hpp"
#include "tconv/rearrange.hpp"

#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>
#include <cstring>
#include <string>
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
      return x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;  // NaN equals NaN here
  });
}

std::size_t column_count(const Item& item) { return item.tensor.rank() < 2 ? 1 : item.tensor.shape.back(); }

}  // namespace

std::vector<std::string> column_names(const Item& item) {
  return attn::io::column_names(item.attributes, column_count(item));
}

bool has_column_names(const Item& item) { return !column_names(item).empty(); }

std::string name_of_part(const attn::Source& source, const std::string& name, const attn::Attributes& attributes) {
  const attn::Shape whole = source.is_table() ? source.describe(name).shape : attn::Shape{};
  if (whole.size() != 2 || whole.back() < 2) return name;
  const std::vector<std::string> names = attn::io::column_names(attributes, 1);
  return names.empty() || names.front().empty() ? name : names.front();
}

bool is_column(const attn::Source& source, const Item& item) {
  const attn::Shape& shape = item.tensor.shape;
  if (shape.empty() || shape.size() > 2 || column_count(item) != 1) return false;
  if (source.is_table()) return source.tensors().size() > 1 || source.find(item.name) == nullptr;
  return attn::io::is_dataset_of_column(item.name, column_names(item));
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
  if (std::none_of(items.begin(), items.end(), has_column_names)) return std::nullopt;
  bool are_alike = true;  // equal numbers stay numbers
  std::vector<std::string> all;
  std::vector<TensorView> parts;
  for (const Item& item : items) {
    std::vector<std::string> names = column_names(item);
    are_alike = are_alike && !names.empty();
    if (are_alike) {
      parts.push_back(item.attributes.at("columns"));
      are_alike = parts.front().dtype == parts.back().dtype;
    }
    names.resize(column_count(item));
    all.insert(all.end(), names.begin(), names.end());
  }
  if (!are_alike) return attn::vector_of(all);
  return concatenated(parts, 0);
}

std::vector<attn::Attributes> split_attributes(const Item& item, std::int64_t axis, std::size_t parts,
                                               std::size_t count) {
  if (!has_column_names(item)) return std::vector<attn::Attributes>(count, item.attributes);
  attn::Attributes all = item.attributes;
  const std::size_t rank = item.tensor.rank(), left = parts > 0 ? rank : rank - 1;
  const bool splits_columns = resolve_axis(axis, rank, "--split") + 1 == rank;
  const bool each_has_names = splits_columns && rank > 1 && (parts > 0 || rank == 2);
  const TensorView columns = all["columns"];
  if (splits_columns || left < 2) all.erase("columns");
  std::vector<attn::Attributes> result(count, all);
  if (!each_has_names) return result;
  const std::vector<TensorView> names = split(columns, 0, count);
  for (std::size_t i = 0; i < count; ++i) result[i]["columns"] = names[i];
  return result;
}

}  // namespace tconv
