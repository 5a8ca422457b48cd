#include "tconv/item_joining.hpp"

#include "tconv/item_attributes.hpp"
#include "tconv/joining.hpp"
#include "tconv/rearrange.hpp"

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>
#include <string>

namespace tconv {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

/// Orders the columns of each item as in the first item with names; items without names get these. Notes names that
/// differ, so that only the position is left.
std::string align_columns(std::vector<Item>& items) {
  const auto named = std::find_if(items.begin(), items.end(), has_column_names);
  if (named == items.end()) return {};
  const std::vector<std::string> wanted = column_names(*named);
  const TensorView columns = named->attributes.at("columns");
  std::string differences;
  for (Item& item : items) {
    const std::vector<std::string> names = column_names(item);
    const auto places = attn::io::places_of(wanted, names);
    if (names.empty()) {
      item.attributes.emplace("columns", columns);
    } else if (names.size() != wanted.size()) {
      throw Error(ErrorKind::data, item.tensor.name, attn::io::column_difference(wanted, names, named->tensor.name));
    } else if (places) {
      if (names != wanted) item.tensor = attn::columns_of(item.tensor, *places);
      item.attributes["columns"] = columns;
    } else if (differences.empty()) {
      differences = item.tensor.name + ": " + attn::io::column_difference(wanted, names, named->tensor.name) +
                    ": joined by position, and no names are kept";
    }
  }
  return differences;
}

/// Whole numbers in text are read as f64 unless that rounds some: joined with such a table, they are integers too.
void agree_on_integers(std::vector<Item>& items) {
  const auto has = [&items](attn::DType dtype) {
    return std::any_of(items.begin(), items.end(), [dtype](const Item& item) { return item.tensor.dtype == dtype; });
  };
  if (!has(attn::DType::i64) && !has(attn::DType::u64)) return;
  const attn::DType dtype = has(attn::DType::u64) ? attn::DType::u64 : attn::DType::i64;
  for (Item& item : items)
    if (item.is_of_text && item.tensor.dtype != dtype) item.tensor = as_integers(item.tensor, dtype);
}

}  // namespace

TensorView column(const TensorView& x, std::size_t index) {
  attn::Slab slab(x.rank());
  slab.back().start = static_cast<std::int64_t>(index);
  slab.back().stop = static_cast<std::int64_t>(index + 1);
  return attn::slice(x, slab);
}

bool joins_columns(const Changes& c, std::size_t rank) {
  return c.concat && rank > 1 && resolve_axis(*c.concat, rank, "--concat") + 1 == rank;
}

Item joined_to_one(std::vector<Item> items, const Changes& c, const cli::Note& note) {
  const std::size_t rank = items.front().tensor.rank();
  const bool are_columns = rank < 2;
  std::string differences;
  agree_on_integers(items);
  if (!joins_columns(c, rank) && !(c.stack && are_columns)) differences = align_columns(items);
  std::vector<TensorView> parts;
  for (const Item& item : items) parts.push_back(item.tensor);
  const TensorView joined = c.stack ? stacked(parts, *c.stack) : concatenated(parts, *c.concat);
  const std::size_t axis = resolve_axis(c.stack ? *c.stack : *c.concat, joined.rank(), "axis");
  attn::Attributes attributes = shared_attributes(items);
  const bool is_last = axis + 1 == joined.rank();
  if (are_columns ? c.stack.has_value() : is_last) {
    attributes.erase("columns");
    const bool side_by_side = is_last && joined.rank() > 1 && (c.concat || are_columns);
    if (const auto names = side_by_side ? joined_columns(items) : std::nullopt) attributes["columns"] = *names;
  }
  Item& first = items.front();
  if (!differences.empty()) {
    note(differences);
    if (first.is_column) first.name = "table";  // it had the name of its column
  }
  return {first.name, joined, std::move(attributes), first.input, first.source};
}

}  // namespace tconv
