#pragma once
// The bar for work that takes long.

#include <attn/core/execution.hpp>

#include <chrono>
#include <mutex>
#include <string>

namespace cli {

/// Automatic: a bar with the time left that is redrawn in place once the work has taken a second, on a terminal only.
/// Always: also a line when the work is done; where standard error is no terminal, a line for every tenth.
enum class ProgressMode { automatic, always, never };

class ProgressBar {
 public:
  /// Lines begin with the name of the tool. `mode` must outlive the bar.
  ProgressBar(std::string tool, const ProgressMode& mode);

  /// To be called as work goes on, from any thread; none where nothing would be seen of it. Reading, computing and
  /// writing are each counted from their start.
  attn::ProgressHook hook();
  /// Takes the bar away, so that a line of text can follow.
  void clear();
  /// The work is done.
  void finish();

 private:
  void update(std::size_t done, std::size_t total);
  double seconds() const;

  std::string tool_;
  const ProgressMode& mode_;
  bool terminal_;
  bool drawn_ = false;
  std::size_t tenth_ = 0;             ///< last tenth that was said
  std::size_t done_ = 0, total_ = 0;  ///< as reported last
  std::chrono::steady_clock::time_point start_, last_, part_start_;
  std::mutex drawing_;
};

}  // namespace cli
