#include "tconv/item_joining.hpp"

#include "tconv/item_attributes.hpp"
#include "tconv/joining.hpp"
#include "tconv/rearrange.hpp"

#include <attn/core/error.hpp>
#include <attn/core/slab.hpp>
#include <attn/core/values.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tconv {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;
using Names = std::vector<std::string>;

/// The place of each wanted column among those of a table; nothing where the names are others or do not tell.
std::optional<std::vector<std::size_t>> places_of(const Names& wanted, const Names& names) {
  if (names.size() != wanted.size()) return std::nullopt;
  std::vector<std::size_t> places;
  std::map<std::string, std::size_t> place_of;
  for (std::size_t i = 0; i < names.size(); ++i) place_of[names[i]] = i;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = place_of.find(wanted[i]);
    if (names == wanted)
      places.push_back(i);
    else if (place_of.size() == names.size() && found != place_of.end())
      places.push_back(found->second);
    else
      return std::nullopt;
  }
  return places;
}

/// "has no column 'age', which a.csv has", for names of which places_of() finds none.
std::string difference(const Names& wanted, const Names& names, const std::string& other) {
  const auto first_beyond = [](const Names& some, const Names& all) {
    const std::set<std::string> known(all.begin(), all.end());
    return std::find_if(some.begin(), some.end(), [&](const std::string& name) { return known.count(name) == 0; });
  };
  if (const auto lacking = first_beyond(wanted, names); lacking != wanted.end())
    return "has no column '" + *lacking + "', which " + other + " has";
  if (const auto extra = first_beyond(names, wanted); extra != names.end())
    return "has a column '" + *extra + "', which " + other + " has not";
  return "has several columns of one name, in other places than " + other;
}

/// Columns of a matrix, which stay a matrix.
TensorView column(const TensorView& x, std::size_t index) {
  attn::Slab slab(x.rank());
  slab.back().start = static_cast<std::int64_t>(index);
  slab.back().stop = static_cast<std::int64_t>(index + 1);
  return attn::slice(x, slab);
}

/// Puts the columns of each item into the order of the first that has names, which become those of items without; says
/// where names are others, which leaves nothing but the position.
std::string align_columns(std::vector<Item>& items, Copies& copies) {
  const auto named = std::find_if(items.begin(), items.end(), has_column_names);
  if (named == items.end()) return {};
  const Names wanted = column_names(*named);
  const TensorView columns = named->attributes.at("columns");
  std::string differences;
  for (Item& item : items) {
    const Names names = column_names(item);
    const auto places = places_of(wanted, names);
    if (names.empty()) {
      item.attributes.emplace("columns", columns);
    } else if (places) {
      std::vector<TensorView> ordered;
      for (const std::size_t place : *places) ordered.push_back(column(item.tensor, place));
      if (names != wanted) item.tensor = concatenated(ordered, -1, copies);
      item.attributes["columns"] = columns;
    } else if (names.size() != wanted.size()) {
      throw Error(ErrorKind::data, item.tensor.name, difference(wanted, names, named->tensor.name));
    } else if (differences.empty()) {
      differences = item.tensor.name + ": " + difference(wanted, names, named->tensor.name) +
                    ": joined by position, and no names are kept";
    }
  }
  return differences;
}

/// Whole numbers of text are f64 unless it would round some: beside such of other tables they are integers too.
void agree_on_integers(std::vector<Item>& items, Copies& copies) {
  const auto has = [&items](attn::DType dtype) {
    return std::any_of(items.begin(), items.end(), [dtype](const Item& item) { return item.tensor.dtype == dtype; });
  };
  if (!has(attn::DType::i64) && !has(attn::DType::u64)) return;
  const attn::DType dtype = has(attn::DType::u64) ? attn::DType::u64 : attn::DType::i64;
  for (Item& item : items)
    if (item.is_of_text && item.tensor.dtype != dtype) item.tensor = as_integers(item.tensor, dtype, copies);
}

bool joins_columns(const Changes& c, std::size_t rank) {
  return c.concat && rank > 1 && resolve_axis(*c.concat, rank, "--concat") + 1 == rank;
}

Item joined_to_one(std::vector<Item> items, const Changes& c, Copies& copies, const cli::Note& note) {
  const std::size_t rank = items.front().tensor.rank();
  const bool are_columns = rank < 2;
  std::string differences;
  agree_on_integers(items, copies);
  if (!joins_columns(c, rank) && !(c.stack && are_columns)) differences = align_columns(items, copies);
  std::vector<TensorView> parts;
  for (const Item& item : items) parts.push_back(item.tensor);
  const TensorView joined = c.stack ? stacked(parts, *c.stack, copies) : concatenated(parts, *c.concat, copies);
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
    if (first.is_column) first.name = "table";  // it was called by its column
  }
  return {first.name, joined, std::move(attributes), first.input, first.source};
}

struct Table {
  std::string source;
  std::vector<Item> columns;
  Names names;  ///< empty where it has none
};

/// Is there an operand of several columns, and is each such columns or a matrix?
bool are_tables(const std::vector<Item>& items) {
  std::map<std::size_t, std::vector<const Item*>> inputs;
  for (const Item& item : items) inputs[item.input].push_back(&item);
  const auto are_columns = [](const auto& input) {
    return std::all_of(input.second.begin(), input.second.end(), [](const Item* item) { return item->is_column; });
  };
  const auto is_matrix = [](const auto& input) {
    return input.second.size() == 1 && input.second.front()->tensor.rank() == 2;
  };
  return std::any_of(inputs.begin(), inputs.end(), [](const auto& input) { return input.second.size() > 1; }) &&
         std::all_of(inputs.begin(), inputs.end(),
                     [&](const auto& input) { return are_columns(input) || is_matrix(input); });
}

std::vector<Table> tables_of(const std::vector<Item>& items) {
  std::map<std::size_t, Table> tables;
  for (const Item& item : items) {
    Table& table = tables[item.input];
    table.source = item.source;
    const Names names = column_names(item);
    table.names.insert(table.names.end(), names.begin(), names.end());
    if (item.is_column) {
      table.columns.push_back(item);
      continue;
    }
    for (std::size_t i = 0; i < item.tensor.shape.back(); ++i) {
      Item part = item;
      part.tensor = column(item.tensor, i);
      part.attributes.erase("columns");
      part.tensor.name = item.source + ":/" + (names.empty() ? std::to_string(i) : names[i]);
      if (!names.empty()) part.attributes["columns"] = attn::vector_of(Names{names[i]});
      table.columns.push_back(std::move(part));
    }
  }
  std::vector<Table> in_order;
  for (auto& entry : tables) in_order.push_back(std::move(entry.second));
  return in_order;
}

/// All columns beside each other, as a table that has them is read.
std::vector<Item> side_by_side(std::vector<Table> tables) {
  std::vector<Item> items;
  Names names;
  for (Table& table : tables)
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      names.push_back(table.names.empty() ? "" : table.names[i]);
      items.push_back(std::move(table.columns[i]));
      const Item& first = items.front();
      const attn::Shape& shape = items.back().tensor.shape;
      if (shape.front() != first.tensor.shape.front())
        throw attn::shape_error(items.back().tensor.name, shape,
                                std::to_string(first.tensor.shape.front()) + " rows, as " + first.tensor.name);
    }
  const Names datasets = attn::io::datasets_of_columns(names, items.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i].name = datasets[i];
  return items;
}

/// Each column of all, which are equally many, behind each other.
std::vector<Item> below_each_other(const std::vector<Table>& tables, const Changes& c, Copies& copies) {
  const auto has_names = [](const Table& table) { return !table.names.empty(); };
  const auto named = std::find_if(tables.begin(), tables.end(), has_names);
  const Table& first = named == tables.end() ? tables.front() : *named;
  std::vector<std::vector<Item>> parts(first.columns.size());
  for (const Table& table : tables) {
    const bool is_by_name = has_names(first) && has_names(table);
    const auto places = is_by_name ? places_of(first.names, table.names) : std::nullopt;
    if (is_by_name && !places)
      throw Error(ErrorKind::data, table.source, difference(first.names, table.names, first.source),
                  "choose columns that all have with --select");
    if (table.columns.size() != parts.size())
      throw Error(ErrorKind::data, table.source,
                  "has " + std::to_string(table.columns.size()) + " columns, expected " + std::to_string(parts.size()) +
                      ", as " + first.source);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].push_back(table.columns[places ? (*places)[i] : i]);
  }
  const Names datasets = attn::io::datasets_of_columns(first.names, parts.size());
  std::vector<Item> items;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    items.push_back(joined_to_one(std::move(parts[i]), c, copies, {}));  // which have one name
    items.back().name = datasets[i];
    items.back().is_column = true;
  }
  return items;
}

}  // namespace

std::vector<Item> joined(std::vector<Item> items, const Changes& c, Copies& copies, const cli::Note& note) {
  if (!are_tables(items)) return {joined_to_one(std::move(items), c, copies, note)};
  const bool are_beside = joins_columns(c, items.front().tensor.rank());
  return are_beside ? side_by_side(tables_of(items)) : below_each_other(tables_of(items), c, copies);
}

}  // namespace tconv
