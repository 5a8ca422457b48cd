#include "tconv/table_joining.hpp"

#include "tconv/item_attributes.hpp"
#include "tconv/item_joining.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace tconv {
namespace {

using attn::Error;
using attn::ErrorKind;

using Names = std::vector<std::string>;

struct Table {
  std::string source;
  std::vector<Item> columns;
  Names names;  ///< empty if it has none
};

/// Is there an operand of several columns, and is every operand such columns or a matrix?
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

/// All columns side by side, as a table is read.
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

/// Each column of all tables, which have equally many, joined in sequence.
std::vector<Item> below_each_other(const std::vector<Table>& tables, const Changes& c) {
  const auto has_names = [](const Table& table) { return !table.names.empty(); };
  const auto named = std::find_if(tables.begin(), tables.end(), has_names);
  const Table& first = named == tables.end() ? tables.front() : *named;
  std::vector<std::vector<Item>> parts(first.columns.size());
  for (const Table& table : tables) {
    const bool is_by_name = has_names(first) && has_names(table);
    const auto places = is_by_name ? attn::io::places_of(first.names, table.names) : std::nullopt;
    if (is_by_name && (!places || first.names.size() != table.names.size()))
      throw Error(ErrorKind::data, table.source, attn::io::column_difference(first.names, table.names, first.source),
                  "choose columns that all have with --select");
    if (table.columns.size() != parts.size())
      throw Error(ErrorKind::data, table.source,
                  "has " + std::to_string(table.columns.size()) + " columns, expected " + std::to_string(parts.size()) +
                      ", as " + first.source);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].push_back(table.columns[places ? (*places)[i] : i]);
  }
  const Names datasets = attn::io::datasets_of_columns(first.names, parts.size());
  const auto no_note = [](const std::string&) {};  // the parts of a column have one name
  std::vector<Item> items;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    items.push_back(joined_to_one(std::move(parts[i]), c, no_note));
    items.back().name = datasets[i];
    items.back().is_column = true;
  }
  return items;
}

}  // namespace

std::vector<Item> joined(std::vector<Item> items, const Changes& c, const cli::Note& note) {
  if (!are_tables(items)) return {joined_to_one(std::move(items), c, note)};
  const bool are_beside = joins_columns(c, items.front().tensor.rank());
  return are_beside ? side_by_side(tables_of(items)) : below_each_other(tables_of(items), c);
}

}  // namespace tconv
