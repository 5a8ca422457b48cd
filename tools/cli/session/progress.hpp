#pragma once
// A bar on standard error for work that takes long.

#include <attn/core/execution.hpp>

#include <chrono>
#include <mutex>
#include <string>

namespace cli {

enum class ProgressMode { automatic, always, never };

/// Automatic: a bar that is redrawn in place once the work has taken a second, on a terminal only. Always: also a line
/// when the work is done; where standard error is no terminal, a line for every tenth.
class Progress {
 public:
  Progress(std::string tool, ProgressMode mode);

  /// update() for who does the work; none where nothing would be seen of it.
  attn::ProgressHook hook();
  /// To be called as work goes on, from any thread. Reading, computing and writing are each counted from their start.
  void update(std::size_t done, std::size_t total);
  /// Takes the bar away, so that a line of text can follow.
  void clear();
  /// The work is done.
  void finish();

 private:
  double seconds() const;

  std::string tool_;
  ProgressMode mode_;
  bool terminal_;
  bool drawn_ = false;
  std::size_t tenth_ = 0;  ///< last tenth that was said
  std::chrono::steady_clock::time_point start_, last_;
  std::mutex drawing_;
};

}  // namespace cli
