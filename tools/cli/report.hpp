#pragma once
// What a run says on standard error: notes, a bar for work that takes long, and whether the answer is no.

#include <attn/core/execution.hpp>

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace cli {

/// Automatic: a bar that is redrawn in place once the work has taken a second, on a terminal only. Always: also a line
/// when the work is done; where standard error is no terminal, a line for every tenth.
enum class ProgressMode { automatic, always, never };

struct SharedOptions;

class Report {
 public:
  /// `shared` must outlive it.
  Report(std::string tool, const SharedOptions& shared);

  /// A line "tool: text"; not under --quiet.
  void note(const std::string& text);
  std::function<void(const std::string& text)> notes() {
    return [this](const std::string& text) { note(text); };
  }
  /// No more notes: what follows has been done before.
  void hush() noexcept { hushed_ = true; }
  /// Only under --verbose.
  void detail(const std::string& text);
  /// Under --quiet too: what an option asks for.
  void say(const std::string& text);
  /// The tool ran, but its answer is no: exit code 1.
  void say_no() noexcept { said_no_ = true; }
  bool said_no() const noexcept { return said_no_; }

  /// To be called as work goes on, from any thread; none where nothing would be seen of it. Reading, computing and
  /// writing are each counted from their start.
  attn::ProgressHook progress();
  /// Takes the bar away, so that a line of text can follow.
  void clear_progress();
  /// The work is done.
  void finish();

 private:
  void update(std::size_t done, std::size_t total);
  double seconds() const;

  std::string tool_;
  const SharedOptions& shared_;
  bool terminal_;
  bool said_no_ = false;
  bool hushed_ = false;
  bool drawn_ = false;
  std::size_t tenth_ = 0;  ///< last tenth that was said
  std::chrono::steady_clock::time_point start_, last_;
  std::mutex drawing_;
};

}  // namespace cli
