#include "tconv/changes.hpp"

#include "cli/result.hpp"
#include "cli/results/moved_times.hpp"
#include "tconv/rearrange.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace tconv {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

std::size_t column_count(const Item& item) { return item.tensor.rank() < 2 ? 1 : item.tensor.shape.back(); }

/// The names of the columns; empty if there are none.
std::vector<std::string> column_names(const Item& item) {
  return attn::io::column_names(item.attributes, column_count(item));
}

/// Does the item have an attribute "columns" with a name for each index of its last axis, or, if it has at most one
/// axis and so is one column of a table, with the name of that column?
bool has_column_names(const Item& item) { return !column_names(item).empty(); }

/// The attributes that are equal in all, bit for bit.
attn::Attributes shared_attributes(const std::vector<Item>& items) {
  attn::Attributes shared = items.front().attributes;
  const auto differs = [&](const auto& attribute) {
    return std::any_of(items.begin(), items.end(), [&](const Item& item) {
      const auto other = item.attributes.find(attribute.first);
      return other == item.attributes.end() || !cli::are_same(attribute.second, other->second);
    });
  };
  for (auto it = shared.begin(); it != shared.end();) it = differs(*it) ? shared.erase(it) : std::next(it);
  return shared;
}

/// The names of all columns in sequence, empty for items without names; nothing if no item has names.
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

/// The attributes of the `count` tensors into which split() cuts an item.
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

/// Column `index` of a matrix, as a matrix.
TensorView column(const TensorView& x, std::size_t index) {
  attn::Slab slab(x.rank());
  slab.back().start = static_cast<std::int64_t>(index);
  slab.back().stop = static_cast<std::int64_t>(index + 1);
  return attn::slice(x, slab);
}

/// Does --concat put tensors of this rank side by side, rather than their rows below each other?
bool joins_columns(const Changes& c, std::size_t rank) {
  return c.concat && rank > 1 && resolve_axis(*c.concat, rank, "--concat") + 1 == rank;
}

/// The result of --stack or --concat: one item with the name of the first. Rows are joined by the names of columns, in
/// the order of the first item with names. Items without names are joined by position; so are items whose names differ,
/// with a note, and then no names are kept.
/// Throws Error(data) for shapes and dtypes that cannot be joined.
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

/// The result of --stack or --concat: one item, as by joined_to_one(), or, if an operand is a table of several
/// datasets, one item for each of its columns, joined by name.
/// Throws Error(data) for shapes and dtypes that cannot be joined, and if a table lacks a column.
std::vector<Item> joined(std::vector<Item> items, const Changes& c, const cli::Note& note) {
  if (!are_tables(items)) return {joined_to_one(std::move(items), c, note)};
  const bool are_beside = joins_columns(c, items.front().tensor.rank());
  return are_beside ? side_by_side(tables_of(items)) : below_each_other(tables_of(items), c);
}

/// The order that --transpose and then --axes give to the axes of x.
std::vector<std::int64_t> order_of_axes(const TensorView& x, const Changes& c) {
  std::vector<std::int64_t> order(x.rank());
  std::iota(order.begin(), order.end(), 0);
  if (c.transpose) {
    if (x.rank() < 2) throw attn::shape_error(x.name, x.shape, "two axes or more", "--transpose swaps the last two");
    std::swap(order[order.size() - 1], order[order.size() - 2]);
  }
  if (c.axes.empty()) return order;
  permuted(x, c.axes);  // is it an order of them?
  std::vector<std::int64_t> axes;
  for (const std::int64_t axis : c.axes) axes.push_back(order[resolve_axis(axis, x.rank(), "--axes")]);
  return axes;
}

/// The entries of an attribute that has one for each axis, in another order.
template <class T>
void reorder(attn::Attributes& attributes, const char* name, const std::vector<std::int64_t>& order) {
  const auto found = attributes.find(name);
  if (found == attributes.end() || found->second.size() != order.size()) return;
  const std::vector<T> before = attn::elements_of<T>(found->second);
  std::vector<T> after;
  for (const std::int64_t axis : order) after.push_back(before[static_cast<std::size_t>(axis)]);
  found->second = attn::vector_of(after);
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
  Names present;
  for (const Item& item : items) present.push_back(item.name);
  for (const auto& [old, fresh] : renames) {
    if (std::find(present.begin(), present.end(), old) == present.end())
      throw Error(
          ErrorKind::input, "--rename", "there is no tensor '" + old + "'",
          "there are " + attn::listed_near(old, present) + "; \\, and \\= stand for a comma and an equals sign in one");
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
    const bool makes_axes = !c.shape.empty() || c.stack || c.concat || c.split;
    if (makes_axes) item.coordinates.clear();
    for (const char* name : {"DIMENSION_LIST", "CHARACTERS"})
      if (makes_axes) item.attributes.erase(name);
    if (moves_columns) item.attributes.erase("CHARACTERS");
    if (!c.shape.empty()) item.attributes.erase("DIMENSION_LIMITS");
    if (c.transpose || !c.axes.empty()) {
      const std::vector<std::int64_t> order = order_of_axes(item.tensor, c);
      reorder<std::string>(item.attributes, "DIMENSION_LIST", order);
      reorder<std::int64_t>(item.attributes, "DIMENSION_LIMITS", order);
      item.tensor = permuted(item.tensor, order);
    }
    if (!c.shape.empty()) item.tensor = reshaped(item.tensor, c.shape);
    if (dtype && item.producer)
      item.producer = cli::converted(*item.producer, *dtype);
    else if (dtype && !is_word) {
      if (const std::string moved = cli::moved_times(item.tensor, item.attributes, *dtype); !moved.empty())
        note(item.tensor.name + ": " + moved);
      item.tensor = attn::cast(item.tensor, *dtype);
    }
  }
  if (c.stack && c.concat) throw Error(ErrorKind::usage, "--stack", "excludes --concat");
  if (c.stack || c.concat) items = joined(std::move(items), c, note);
  if (c.split) take_apart(items, c);
  rename(items, c.rename);
}

}  // namespace tconv
