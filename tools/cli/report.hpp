#pragma once
// What a run says on standard error: notes, a bar for work that takes long, and whether the answer is no.

#include <attn/core/execution.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace cli {

/// Automatic: a bar that is redrawn in place once the work has taken a second, on a terminal only. Always: also a line
/// when the work is done; where standard error is no terminal, a line for every tenth.
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
  std::size_t tenth_ = 0;  ///< last tenth that was said
  std::chrono::steady_clock::time_point start_, last_;
  std::mutex drawing_;
};

struct ReportOptions {
  ProgressMode progress = ProgressMode::automatic;
  bool quiet = false, verbose = false;
};

class Report {
 public:
  /// `options` must outlive it.
  Report(std::string tool, const ReportOptions& options);

  /// A line "tool: text"; not under --quiet.
  void note(const std::string& text);
  std::function<void(const std::string& text)> notes() {
    return [this](const std::string& text) { note(text); };
  }
  /// "3 queries have ...", of all blocks of rows: said once by note_counts().
  void count(std::size_t number, const std::string& of_one, const std::string& of_several);
  void note_counts();
  /// No more notes: what follows has been done before.
  void hush(bool hushed = true) noexcept { hushed_ = hushed; }
  /// Only under --verbose.
  void detail(const std::string& text);
  /// Under --quiet too: what an option asks for.
  void say(const std::string& text);
  /// The tool ran, but its answer is no: exit code 1.
  void say_no() noexcept { said_no_ = true; }
  bool said_no() const noexcept { return said_no_; }

  ProgressBar progress_bar;

 private:
  std::string tool_;
  const ReportOptions& options_;
  std::map<std::pair<std::string, std::string>, std::size_t> counts_;
  bool said_no_ = false;
  bool hushed_ = false;
};

}  // namespace cli
