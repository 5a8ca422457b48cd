#include "tmerge/files.hpp"

#include <attn/core/error.hpp>

namespace tmerge {

attn::Source& Files::open(std::size_t file) {
  // Fewer than the 1024 that a process may have by default.
  constexpr std::size_t most_open = 256;
  const auto known = open_.find(file);
  if (known != open_.end()) return *known->second;
  if (open_.size() == most_open) open_.clear();
  const attn::io::Operand& operand = session_.inputs.parse(names_[file]);
  if (operand.literal || operand.is_part() || operand.is_standard_stream())
    throw attn::Error(attn::ErrorKind::usage, names_[file], "is no file of a part", "give FILE");
  if (attn::io::has_no_file(operand))
    throw attn::Error(attn::ErrorKind::input, operand.source, "does not exist", attn::io::operand_hint(operand.text));
  return *(open_[file] = attn::io::open_source(operand.source));
}

}  // namespace tmerge
