#include "cli/operand_names.hpp"

#include "cli/help.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

namespace cli {
namespace {

/// Names of datasets; of columns too if the source is a table.
std::vector<std::string> names_in(const attn::Source& source) {
  std::vector<std::string> names;
  for (const attn::TensorInfo& tensor : source.tensors()) {
    if (source.is_table()) {
      const std::vector<std::string> columns = attn::texts_of(source.attributes(tensor.name), "columns");
      names.insert(names.end(), columns.begin(), columns.end());
      if (!columns.empty()) continue;
    }
    names.push_back(tensor.name);
  }
  return names;
}

}  // namespace

bool is_begun_operand(const std::string& word) { return word.find(":/") != std::string::npos; }

std::string operands_beginning(const std::string& word) {
  const std::size_t colon = word.find(":/");
  const std::string file = word.substr(0, colon);
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return {};
  const std::size_t start = colon + 2, comma = word.rfind(',');
  std::string found;
  try {
    const std::unique_ptr<attn::Source> source = attn::io::open_source(file);
    // Columns are listed with commas; a dataset stands alone.
    const bool goes_on = source->is_table() && comma != std::string::npos && comma > start;
    const std::string fixed = word.substr(0, goes_on ? comma + 1 : start), begun = word.substr(fixed.size());
    const std::vector<std::string> listed = split_list(goes_on ? word.substr(start, comma - start) : "");
    for (const std::string& name : names_in(*source)) {
      const bool is_new = std::find(listed.begin(), listed.end(), name) == listed.end();
      if (is_new && attn::starts_with(name, begun) && name.find('\n') == std::string::npos)
        found += fixed + name + '\n';
    }
  } catch (const attn::Error&) {
    return {};
  }
  return found;
}

}  // namespace cli
