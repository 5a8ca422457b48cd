#pragma once
// A progress bar on standard error.

#include <attn/core/execution.hpp>

#include <chrono>
#include <mutex>
#include <string>

namespace cli {

enum class ProgressMode { automatic, always, never };

/// Automatic: on a terminal, a bar after one second of work. Always: also a line when the work is done; if standard
/// error is no terminal, a line for every tenth.
class Progress {
 public:
  Progress(std::string tool, ProgressMode mode);

  /// update() as a hook for the library; empty if nothing would be shown.
  attn::ProgressHook hook();
  /// Called during the work, from any thread. Reading, computing and writing each count from their start.
  void update(std::size_t done, std::size_t total);
  /// Removes the bar, so that a line of text can follow.
  void clear();
  /// The work is done.
  void finish();

 private:
  double seconds() const;

  std::string tool_;
  ProgressMode mode_;
  bool terminal_;
  bool drawn_ = false;
  std::size_t tenth_ = 0;  ///< the last tenth reported
  std::chrono::steady_clock::time_point start_, last_;
  std::mutex drawing_;
};

}  // namespace cli
