#include "tconv/changes.hpp"

#include "tconv/rearrange.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <map>
#include <numeric>

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

/// Many into one, which has the name of the first.
void join(std::vector<Item>& items, const Changes& c) {
  if (c.stack && c.concat) throw Error(ErrorKind::usage, "--stack", "excludes --concat");
  std::vector<TensorView> parts;
  for (const Item& item : items) parts.push_back(item.tensor);
  items = {{items.front().name, c.stack ? stacked(parts, *c.stack) : concatenated(parts, *c.concat), {}}};
}

void take_apart(std::vector<Item>& items, const Changes& c) {
  std::vector<Item> parts;
  for (const Item& item : items) {
    std::size_t i = 0;
    for (const TensorView& part : split(item.tensor, *c.split, c.parts))
      parts.push_back({item.name + "/" + std::to_string(i++), part, {}});
  }
  items = std::move(parts);
}

/// All at once: q=k,k=q swaps two.
void rename(std::vector<Item>& items, const std::vector<std::string>& pairs) {
  std::map<std::string, std::string> names;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals + 1 == pair.size())
      throw Error(ErrorKind::usage, "--rename", "'" + pair + "' is not OLD=NEW");
    const std::string old = pair.substr(0, equals);
    if (std::none_of(items.begin(), items.end(), [&](const Item& item) { return item.name == old; }))
      throw Error(ErrorKind::input, "--rename", "there is no tensor '" + old + "'");
    if (!names.emplace(old, pair.substr(equals + 1)).second)
      throw Error(ErrorKind::usage, "--rename", "gives '" + old + "' two names");
  }
  for (Item& item : items)
    if (const auto found = names.find(item.name); found != names.end()) item.name = found->second;
}

/// Are the names of the columns, if the item has them, still those of its columns?
bool keeps_columns(const Item& item, const Changes& c) {
  if (c.transpose || !c.axes.empty() || !c.shape.empty() || item.tensor.rank() < 2) return false;
  const auto found = item.attributes.find("columns");
  const auto* names = found == item.attributes.end() ? nullptr : std::get_if<std::vector<std::string>>(&found->second);
  return names != nullptr && names->size() == item.tensor.shape.back();
}

}  // namespace

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
