#pragma once
// What a process needs set up before it opens files: signals that tidy, and standard streams that are what they seem.

#include <sys/types.h>

namespace cli {

/// Signals that end the process and that it may outlive (SIGINT, SIGTERM, SIGUSR1, ..., not SIGKILL or SIGSEGV) remove
/// the temporary files of unfinished outputs and end the child, then do what they always do, so that a shell sees the
/// true cause of death. Signals that the parent ignores stay ignored. A file-size limit becomes a failed write, which
/// is reported like a full disk.
void handle_signals() noexcept;

/// A process that such a signal ends with SIGTERM; 0: none.
void set_child(pid_t process) noexcept;

/// A standard stream that the parent closed becomes one that fails: else the next file opened would take its place, and
/// results would go into it.
void guard_standard_streams() noexcept;

}  // namespace cli
