#include <attn/core/characters.hpp>
#include <attn/core/memory/control_group.hpp>

#include <algorithm>
#include <fstream>

namespace attn {
namespace {

/// The group of this process as a path below the root, "" for the root itself: the line "0::/PATH".
std::string group_of_process(const std::string& membership) {
  const std::string unified = "0::/";
  std::ifstream file(membership);
  for (std::string line; std::getline(file, line);)
    if (starts_with(line, unified) && line.size() > unified.size()) return line.substr(unified.size() - 1);
  return "";
}

/// The smallest limit_in(file) of the files of that name, from the group of this process up to the root. A container
/// may see only the root of its own group; groups that it does not see are skipped.
template <class T, class LimitIn>
std::optional<T> smallest_limit(const ControlGroups& groups, const std::string& name, LimitIn limit_in) {
  std::optional<T> smallest;
  for (std::string group = group_of_process(groups.membership);; group.erase(group.rfind('/'))) {
    std::ifstream file(groups.root + group + "/" + name);
    if (const std::optional<T> limit = limit_in(file)) smallest = std::min(*limit, smallest.value_or(*limit));
    if (group.empty()) return smallest;
  }
}

}  // namespace

std::optional<double> processor_quota(const ControlGroups& groups) {
  return smallest_limit<double>(groups, "cpu.max", [](std::istream& file) -> std::optional<double> {
    double quota = 0, period = 0;  // microseconds; or "max" instead of the quota
    if (!(file >> quota >> period) || period <= 0) return std::nullopt;
    return quota / period;
  });
}

std::optional<std::uint64_t> memory_limit(const ControlGroups& groups) {
  return smallest_limit<std::uint64_t>(groups, "memory.max", [](std::istream& file) -> std::optional<std::uint64_t> {
    std::uint64_t bytes = 0;  // or "max"
    if (!(file >> bytes)) return std::nullopt;
    return bytes;
  });
}

}  // namespace attn
