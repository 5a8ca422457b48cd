#pragma once
// What a run says on standard error: notes, the bar of progress_bar.hpp, and whether the answer is no.

#include "cli/progress_bar.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace cli {

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
