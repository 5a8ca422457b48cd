#pragma once
// Set-up before a process opens files: signals that clean up, and valid standard streams.

#include <sys/types.h>

namespace cli {

/// Signals that end the process (SIGINT, SIGTERM, SIGUSR1, ..., not SIGKILL or SIGSEGV) first remove the temporary
/// files of unfinished outputs and end the child. They then take their default effect, so that a shell sees the cause
/// of death. Signals that the parent ignores stay ignored. A file-size limit becomes a failed write, like a full disk.
void handle_signals() noexcept;

/// From now on SIGTERM ends nothing: the tool asks whether it came, and ends where that costs no work.
void defer_sigterm() noexcept;
bool sigterm_came() noexcept;

/// The child that such a signal ends with SIGTERM; 0: none.
void set_child(pid_t process) noexcept;

/// A standard stream that the parent closed becomes one that fails; otherwise the next file opened would take its
/// place and receive the results.
void guard_standard_streams() noexcept;

}  // namespace cli
