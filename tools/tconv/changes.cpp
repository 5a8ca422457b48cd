#include "tconv/changes.hpp"

#include "cli/result.hpp"
#include "tconv/item_attributes.hpp"
#include "tconv/rearrange.hpp"
#include "tconv/table_joining.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>

#include <algorithm>
#include <limits>
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

void take_apart(std::vector<Item>& items, const Changes& c) {
  std::size_t count = 0;
  for (const Item& item : items) count += number_of_parts(item.tensor, *c.split, c.parts);
  // Measured: name, shape, attributes and location of each part, from here into a file.
  constexpr std::size_t each = 1500, most = std::numeric_limits<std::size_t>::max() / each;
  attn::memory_account().expect(std::min(count, most) * each, "--split");
  std::vector<Item> parts;
  for (const Item& item : items) {
    const std::vector<TensorView> tensors = split(item.tensor, *c.split, c.parts);
    const std::vector<attn::Attributes> attributes = split_attributes(item, *c.split, c.parts, tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i)
      parts.push_back({item.name + "/" + std::to_string(i), tensors[i], attributes[i], item.input, item.source});
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
  for (Item& item : items) {
    const auto found = names.find(item.name);
    if (found == names.end()) continue;
    item.name = found->second;
    if (item.is_column && has_column_names(item))
      item.attributes["columns"] = attn::vector_of<std::string>({item.name});
  }
}

}  // namespace

void add_renames(std::string_view list, Renames& renames) {
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
    renames.emplace_back(names[0], fresh);
  }
}

void change(std::vector<Item>& items, const Changes& c, std::optional<attn::DType> dtype, const cli::Note& note) {
  const auto is_text = [](const Item& item) { return item.tensor.dtype == attn::DType::string; };
  const bool has_numbers = !std::all_of(items.begin(), items.end(), is_text);
  for (Item& item : items) {
    const bool is_word = has_numbers && item.is_column && is_text(item);
    const bool moves_columns = c.transpose || !c.axes.empty() || !c.shape.empty();
    if (moves_columns && has_column_names(item)) item.attributes.erase("columns");
    if (moves_columns) item.is_column = false;
    // These attributes mark axes in reverse order.
    if (moves_columns)
      for (const char* writer : {"MATLAB_class", "rhdf5-NA.OK"}) item.attributes.erase(writer);
    if (moves_columns || c.stack || c.concat || c.split) item.attributes.erase("DIMENSION_LIST");
    if (moves_columns) item.attributes.erase("DIMENSION_LIMITS");
    item.tensor = changed(item.tensor, c);
    if (dtype && item.producer)
      item.producer = cli::converted(*item.producer, *dtype);
    else if (dtype && !is_word)
      item.tensor = attn::cast(item.tensor, *dtype);
  }
  if (c.stack && c.concat) throw Error(ErrorKind::usage, "--stack", "excludes --concat");
  if (c.stack || c.concat) items = joined(std::move(items), c, note);
  if (c.split) take_apart(items, c);
  rename(items, c.rename);
}

}  // namespace tconv
