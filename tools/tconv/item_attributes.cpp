#include "tconv/item_attributes.hpp"

#include "tconv/joining.hpp"
#include "tconv/rearrange.hpp"

#include <attn/core/values.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
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

/// One column, which stays a matrix.
TensorView column(const TensorView& x, std::size_t index) {
  attn::Slab slab(x.rank());
  slab.back().start = static_cast<std::int64_t>(index);
  slab.back().stop = static_cast<std::int64_t>(index + 1);
  return attn::slice(x, slab);
}

std::vector<std::string> column_names(const Item& item) {
  return attn::io::column_names(item.attributes, item.tensor.rank() < 2 ? 1 : item.tensor.shape.back());
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
  return list;
}

}  // namespace

bool has_column_names(const Item& item) { return !column_names(item).empty(); }

void align_columns(std::vector<Item>& items, Copies& copies, const cli::Note& note) {
  const std::vector<std::string> wanted = column_names(items.front());
  const std::set<std::string> all_wanted(wanted.begin(), wanted.end());
  for (Item& item : items) {
    const std::vector<std::string> names = column_names(item);
    if (names.size() != wanted.size() || names == wanted) continue;
    std::map<std::string, TensorView> columns;
    for (std::size_t i = 0; i < names.size(); ++i) columns[names[i]] = column(item.tensor, i);
    const bool has_same = std::all_of(columns.begin(), columns.end(),
                                      [&](const auto& entry) { return all_wanted.count(entry.first) != 0; });
    if (columns.size() != wanted.size() || !has_same) {
      note(item.tensor.name + ": the columns " + list_of(names) + " have other names than " + list_of(wanted) + " of " +
           items.front().tensor.name + ": joined by position, and no names are kept");
      continue;
    }
    std::vector<TensorView> ordered;
    for (const std::string& name : wanted) ordered.push_back(columns[name]);
    item.tensor = concatenated(ordered, -1, copies);
    item.attributes["columns"] = items.front().attributes["columns"];
  }
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
    if (!has_column_names(item)) return std::nullopt;
    const TensorView& columns = item.attributes.at("columns");
    if (!names.empty() && columns.dtype != names.front().dtype) return std::nullopt;
    names.push_back(columns);
  }
  Copies small = Copies::made();
  return concatenated(names, 0, small);
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
