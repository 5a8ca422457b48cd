#include "cli/selection.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/column_names.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <cstring>

namespace cli {
namespace {

const char* without_slash(const std::string& name) noexcept {
  return name.c_str() + (name.find_first_not_of('/') == 1 ? 1 : 0);
}

bool matches(const char* pattern, const char* name) noexcept {
  return std::strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

/// The names of the columns that a range or a pattern chooses; those that a list names one by one are in the order that
/// is meant.
std::vector<std::string> names_of_range(const attn::Source& source, const std::string& dataset) {
  const std::vector<std::size_t> places = source.columns_in(dataset);
  const auto listed = static_cast<std::size_t>(std::count(dataset.begin(), dataset.end(), ',')) + 1;
  if (places.size() <= listed) return {};
  if (!is_of_columns(source)) return attn::io::column_names(source.attributes(dataset), places.size());
  std::vector<std::string> names;
  for (const std::size_t place : places)
    for (const std::string& name : attn::io::column_names(source.attributes(source.tensors()[place].name), 1))
      names.push_back(name);
  return names;
}

}  // namespace

bool matches_glob(const std::string& pattern, const std::string& name) {
  const std::string glob = attn::composed(pattern), text = attn::composed(name);
  return matches(glob.c_str(), text.c_str()) || matches(without_slash(glob), without_slash(text));
}

bool is_within(const std::string& name, const std::string& group) {
  return group.empty() || name == group || attn::starts_with(name, group + "/");
}

void add_groups_of(const std::string& name, std::set<std::string>& groups) {
  for (std::size_t slash = name.rfind('/'); slash != std::string::npos && slash > 0; slash = name.rfind('/', slash - 1))
    if (!groups.insert(name.substr(0, slash)).second) return;  // its parents are known too
}

std::vector<std::string> selected_groups(const attn::Source& source, const std::string& place,
                                         const IsSelected& is_selected) {
  std::set<std::string> wanted;
  for (const attn::TensorInfo& info : source.tensors())
    if (is_selected(info.name)) add_groups_of(info.name, wanted);
  std::vector<std::string> selected;
  for (const std::string& group : source.groups())
    if (is_within(group, place) && (wanted.count(group) > 0 || is_selected(group))) selected.push_back(group);
  return selected;
}

bool is_of_columns(const attn::Source& source) { return source.is_table() && source.tensors().size() > 1; }

TablePart part_of(const attn::Source& source, std::vector<attn::TensorInfo> tensors, attn::Slab slab) {
  if (!is_of_columns(source) || tensors.empty() || slab.size() < 2) return {std::move(tensors), std::move(slab)};
  const attn::Shape table{tensors.front().shape.front(), tensors.size()};
  const attn::ResolvedSlab part = attn::resolve(slab, table, source.label());
  TablePart chosen;
  for (std::size_t i = 0; i < part.count[1]; ++i) chosen.tensors.push_back(tensors[part.start[1] + i * part.step[1]]);
  if (part.backwards[1]) std::reverse(chosen.tensors.begin(), chosen.tensors.end());
  if (chosen.tensors.empty())
    throw attn::Error(attn::ErrorKind::usage, "--slab",
                      "selects none of the columns of " + source.label() + ", which is " + attn::to_string(table));
  attn::AxisSlab column;
  if (part.is_dropped[1]) column.start = 0;
  column.is_index = part.is_dropped[1];
  chosen.slab = {slab.front(), column};
  return chosen;
}

std::vector<std::string> names_to_match(const attn::Source& source, const std::string& dataset,
                                        const attn::Slab& part) {
  const bool is_table_of_columns = dataset.empty() && is_of_columns(source);
  const attn::TensorInfo* const info = source.find(dataset);
  if (info == nullptr && !dataset.empty() && part.size() < 2) return names_of_range(source, dataset);
  const std::size_t rank = is_table_of_columns ? 2 : info != nullptr && !is_of_columns(source) ? info->shape.size() : 0;
  if (rank < 2) return {};
  if (part.size() == rank) {
    const attn::AxisSlab& columns = part.back();
    if (columns.is_index || columns.start || columns.stop || columns.step != 1) return {};
  }
  if (!is_table_of_columns) return attn::io::column_names(source.attributes(dataset), info->shape.back());
  std::vector<std::string> names;
  for (const attn::TensorInfo& column : source.tensors())
    for (const std::string& name : attn::io::column_names(source.attributes(column.name), 1)) names.push_back(name);
  return names;
}

}  // namespace cli
