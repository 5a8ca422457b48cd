#pragma once
// The limits of this process's control group (cgroup, version 2) and of all groups above it.

#include <cstdint>
#include <optional>
#include <string>

namespace attn {

/// Where the system lists the groups of a process, and where it shows their limits.
struct ControlGroups {
  std::string membership = "/proc/self/cgroup";
  std::string root = "/sys/fs/cgroup";
};

/// Processors that the group may use at a time, possibly a fraction; none without a limit. Source: cpu.max of
/// Documentation/admin-guide/cgroup-v2.rst of Linux.
std::optional<double> processor_quota(const ControlGroups& groups = {});

/// Bytes of memory that the group may use; none without a limit. Source: memory.max, there.
std::optional<std::uint64_t> memory_limit(const ControlGroups& groups = {});

}  // namespace attn
