#include "cli/source_attributes.hpp"

#include <attn/io/column_names.hpp>

namespace cli {

attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const Note& note) {
  std::string others;
  for (const attn::Unreadable& other : source.unreadable_attributes(name))
    others += (others.empty() ? "" : ", ") + other.name + " (" + other.reason + ")";
  if (!others.empty())
    note(source.label() + (name.empty() ? "" : ":/" + name) + ": attributes that stay behind: " + others);
  return source.attributes(name);
}

attn::Attributes attributes_of(const attn::Source& source, const std::string& name, const attn::Slab& part,
                               const Note& note) {
  attn::Attributes attributes = attributes_of(source, name, note);
  const attn::TensorInfo* info = source.find(name);
  const std::size_t rank = info != nullptr ? info->shape.size() : 2;  // a choice of columns is a matrix
  if (part.empty() || part.size() != rank) return attributes;
  if (rank < 2 && !attn::io::column_names(attributes, 1).empty()) return attributes;  // of the one column
  if (info != nullptr && attn::io::column_names(attributes, info->shape.back()).empty()) attributes.erase("columns");
  keep_columns(attributes, part.back());
  return attributes;
}

void keep_columns(attn::Attributes& attributes, const attn::AxisSlab& part) {
  const auto columns = attributes.find("columns");
  if (columns == attributes.end()) return;
  const attn::TensorView& names = columns->second;
  if (part.is_index || names.rank() != 1)
    attributes.erase(columns);
  else
    columns->second = attn::slice(names, {part});
}

}  // namespace cli
