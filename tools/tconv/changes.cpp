#include "tconv/changes.hpp"

#include "tconv/rearrange.hpp"

#include <attn/core/error.hpp>
#include <attn/core/values.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <type_traits>

namespace tconv {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

TensorView changed(TensorView x, const Changes& c) {
  if (c.transpose) {
    if (x.rank() < 2) throw attn::shape_error(x.name, x.shape, "two axes or more", "--transpose swaps the last two");
    std::vector<std::int64_t> order(x.rank());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    x = permuted(x, order);
  }
  if (!c.axes.empty()) x = permuted(x, c.axes);
  return c.shape.empty() ? x : reshaped(x, c.shape);
}

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

/// The attributes in which all agree.
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

/// Names of columns where the last axis is joined: those of all, where all have some of one kind.
void join_columns(const std::vector<Item>& items, const Changes& c, attn::Attributes& joined) {
  std::vector<TensorView> names;
  for (const Item& item : items) {
    const auto columns = item.attributes.find("columns");
    if (columns != item.attributes.end() && (names.empty() || columns->second.dtype == names.front().dtype))
      names.push_back(columns->second);
  }
  joined.erase("columns");
  if (c.concat && names.size() == items.size()) joined["columns"] = concatenated(names, 0);
}

/// Many into one, which has the name of the first.
void join(std::vector<Item>& items, const Changes& c) {
  if (c.stack && c.concat) throw Error(ErrorKind::usage, "--stack", "excludes --concat");
  std::vector<TensorView> parts;
  for (const Item& item : items) parts.push_back(item.tensor);
  Item joined{items.front().name, c.stack ? stacked(parts, *c.stack) : concatenated(parts, *c.concat),
              shared_attributes(items)};
  const std::size_t rank = joined.tensor.rank();
  if (resolve_axis(c.stack ? *c.stack : *c.concat, rank, c.stack ? "--stack" : "--concat") + 1 == rank)
    join_columns(items, c, joined.attributes);
  items = {std::move(joined)};
}

void take_apart(std::vector<Item>& items, const Changes& c) {
  std::vector<Item> parts;
  for (const Item& item : items) {
    const std::size_t axis = resolve_axis(*c.split, item.tensor.rank(), "--split");
    std::size_t i = 0;
    for (const TensorView& part : split(item.tensor, *c.split, c.parts)) {
      attn::Attributes attributes = item.attributes;
      if (axis + 1 == item.tensor.rank()) {
        attn::AxisSlab columns;
        columns.is_index = c.parts == 0;
        if (!columns.is_index) {
          columns.start = static_cast<std::int64_t>(i * part.shape[axis]);
          columns.stop = static_cast<std::int64_t>((i + 1) * part.shape[axis]);
        }
        keep_columns(attributes, columns);
      } else if (part.rank() < 2) {
        attributes.erase("columns");
      }
      parts.push_back({item.name + "/" + std::to_string(i++), part, std::move(attributes)});
    }
  }
  items = std::move(parts);
}

/// All at once: q=k,k=q swaps two.
void rename(std::vector<Item>& items, const Renames& renames) {
  std::map<std::string, std::string> names;
  for (const auto& [old, fresh] : renames) {
    if (std::none_of(items.begin(), items.end(), [&, &name = old](const Item& item) { return item.name == name; }))
      throw Error(ErrorKind::input, "--rename", "there is no tensor '" + old + "'",
                  "tconv --list shows the names; \\, and \\= stand for a comma and an equals sign in one");
    if (!names.emplace(old, fresh).second) throw Error(ErrorKind::usage, "--rename", "gives '" + old + "' two names");
  }
  for (Item& item : items)
    if (const auto found = names.find(item.name); found != names.end()) item.name = found->second;
}

/// Are the names of the columns, if the item has them, still those of its columns?
bool keeps_columns(const Item& item, const Changes& c) {
  if (c.transpose || !c.axes.empty() || !c.shape.empty() || item.tensor.rank() < 2) return false;
  return !attn::io::column_names(item.attributes, item.tensor.shape.back()).empty();
}

}  // namespace

void keep_columns(attn::Attributes& attributes, const attn::AxisSlab& part) {
  const auto columns = attributes.find("columns");
  if (columns == attributes.end()) return;
  const TensorView& names = columns->second;
  if (part.is_index || names.rank() != 1)
    attributes.erase(columns);
  else
    columns->second = attn::slice(names, {part});
}

Renames parse_renames(std::string_view list) {
  Renames renames;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const std::size_t begin = at;
    std::string names[2];
    std::size_t side = 0;
    for (; at < list.size() && list[at] != ','; ++at) {
      const bool is_escaped =
          list[at] == '\\' && at + 1 < list.size() && std::string_view(",=\\").find(list[at + 1]) != list.npos;
      if (list[at] == '=' && side == 0)
        side = 1;
      else
        names[side] += list[at += is_escaped];
    }
    std::string& fresh = names[1];
    const std::size_t first = std::min(fresh.find_first_not_of('/'), fresh.size());
    fresh = fresh.substr(first, fresh.find_last_not_of('/') + 1 - first);
    const std::string pair(list.substr(begin, at - begin));
    if (fresh.empty())
      throw Error(ErrorKind::usage, "--rename", "'" + pair + "' is not OLD=NEW",
                  "\\, and \\= stand for a comma and an equals sign in a name");
    if (fresh.find("//") != std::string::npos)
      throw Error(ErrorKind::usage, "--rename", "'" + pair + "' gives a name with nothing between two slashes");
    renames.emplace_back(names[0], fresh);
  }
  return renames;
}

void change(std::vector<Item>& items, const Changes& c, std::optional<attn::DType> dtype) {
  for (Item& item : items) {
    item.tensor = changed(item.tensor, c);
    if (dtype) item.tensor = attn::cast(item.tensor, *dtype);
    if (!keeps_columns(item, c)) item.attributes.erase("columns");
  }
  if (c.stack || c.concat) join(items, c);
  if (c.split) take_apart(items, c);
  rename(items, c.rename);
}

}  // namespace tconv
