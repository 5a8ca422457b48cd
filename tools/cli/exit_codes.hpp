#pragma once
// Exit codes: an interface for scripts, listed in every man page.

namespace cli {

enum ExitCode : int {
  done = 0,
  said_no = 1,         ///< the tool ran, and the check failed (--check, tdiff, --fail-on-nonfinite)
  usage = 2,           ///< wrong options or operands
  bad_data = 65,       ///< the data was read, but is invalid
  no_input = 66,       ///< missing, empty or truncated input, dataset not found
  no_helper = 69,      ///< a helper program (gnuplot) is missing
  defect = 70,         ///< a defect of the tool
  no_memory = 71,      ///< out of memory, or over --max-memory
  cannot_create = 73,  ///< output exists or cannot be made
  io_failed = 74,      ///< a read or write failed
  stopped = 75         ///< stopped by a signal with the work saved: the same command with --resume goes on
};

/// Thrown where a run ends early although nothing is wrong with the program.
struct Finished {
  ExitCode code;
};

}  // namespace cli
