#include "cli/record.hpp"

#include <algorithm>

namespace cli {

const std::string* RunRecord::find(const std::string& name) const {
  for (const auto& [known, value] : entries)
    if (known == name) return &value;
  return nullptr;
}

std::string RunRecord::text() const {
  std::string all;
  for (const auto& [name, value] : entries) all += name + '=' + value + '\n';
  return all;
}

RecordEntries entries_of(const std::string& text) {
  RecordEntries entries;
  for (std::size_t from = 0, end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    const std::size_t equals = std::min(text.find('=', from), end), value = std::min(equals + 1, end);
    entries.emplace_back(text.substr(from, equals - from), text.substr(value, end - value));
  }
  return entries;
}

}  // namespace cli
