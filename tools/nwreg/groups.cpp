#include "nwreg/groups.hpp"

#include <algorithm>
#include <map>

namespace nwreg {

std::vector<Group> groups_of(const PreparedSamples& data, const std::vector<double>& x, std::size_t most) {
  const std::size_t d = data.columns();
  std::map<std::vector<double>, Group> by_codes;
  for (std::size_t i = 0; i < x.size() / d; ++i) {
    std::vector<double> codes;
    for (const attn::Category& category : data.samples.categories) codes.push_back(x[i * d + category.column]);
    by_codes[codes].rows.push_back(i);
  }
  std::vector<std::size_t> sizes;
  for (const auto& [codes, group] : by_codes) sizes.push_back(group.rows.size());
  std::sort(sizes.rbegin(), sizes.rend());
  const std::size_t fewest = sizes[std::min(sizes.size(), most) - 1];
  std::vector<Group> groups;
  for (auto& [codes, group] : by_codes) {
    if (group.rows.size() < fewest || groups.size() == most) continue;
    for (std::size_t f = 0; f < codes.size(); ++f)
      group.name += (f > 0 ? ", " : "") + data.categories->level(f, codes[f]);
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace nwreg
