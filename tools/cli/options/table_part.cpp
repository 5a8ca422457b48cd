#include "cli/options/table_part.hpp"

#include <attn/core/error.hpp>
#include <attn/io/column_names.hpp>

#include <algorithm>

namespace cli {

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
