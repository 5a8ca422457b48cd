#pragma once
// What a process needs set up before it opens files: signals that tidy, and standard streams that are what they seem.

namespace cli {

/// SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE remove the temporary files of unfinished outputs, then do what they
/// always do, so that a shell sees the true cause of death. Signals that the parent ignores stay ignored. A file-size
/// limit becomes a failed write, which is reported like a full disk.
void handle_signals() noexcept;

/// A standard stream that the parent closed becomes one that fails: else the next file opened would take its place, and
/// results would go into it.
void guard_standard_streams() noexcept;

}  // namespace cli
