#pragma once
// Signals: what must be tidied before one of them ends the process.

namespace cli {

/// SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE remove the temporary files of unfinished outputs, then do what they
/// always do, so that a shell sees the true cause of death. Signals that the parent ignores stay ignored. A file-size
/// limit becomes a failed write, which is reported like a full disk.
void handle_signals() noexcept;

}  // namespace cli
