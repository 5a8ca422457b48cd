#include "cli/progress_bar.hpp"

#include "cli/results/statistics.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

/// A terminal that can return to the start of a line.
bool can_redraw() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (term == nullptr || std::strcmp(term, "dumb") != 0);
}

/// Another stage of a pipeline, which shows the progress of all.
bool is_another_to_show() {
  struct stat status;
  return fstat(STDOUT_FILENO, &status) == 0 && S_ISFIFO(status.st_mode);
}

}  // namespace

ProgressBar::ProgressBar(std::string tool, const ProgressMode& mode)
    : tool_(std::move(tool)), mode_(mode), terminal_(can_redraw()), start_(Clock::now()), last_(start_) {}

attn::ProgressHook ProgressBar::hook() {
  if (mode_ == ProgressMode::never || (mode_ == ProgressMode::automatic && (!terminal_ || is_another_to_show())))
    return {};
  return [this](std::size_t done, std::size_t total) { update(done, total); };
}

double ProgressBar::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void ProgressBar::update(std::size_t done, std::size_t total) {
  if (total == 0) return;
  const std::lock_guard<std::mutex> lock(drawing_);
  const std::size_t percent = done * 100 / total;
  if (!terminal_) {
    const std::size_t tenth = percent / 10;
    if (tenth + 1 < tenth_) tenth_ = 0;  // another part of the work; threads report a little out of order
    if (tenth <= tenth_) return;
    tenth_ = tenth;
    std::fprintf(stderr, "%s: %zu %% of %zu\n", tool_.c_str(), tenth_ * 10, total);
    return;
  }
  const auto now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100) || (mode_ == ProgressMode::automatic && seconds() < 1)) return;
  last_ = now;
  constexpr std::size_t width = 40;
  const std::size_t filled = percent * width / 100;
  std::fprintf(stderr, "\r%s [%s%s] %3zu %%", tool_.c_str(), std::string(filled, '#').c_str(),
               std::string(width - filled, ' ').c_str(), percent);
  drawn_ = true;
}

void ProgressBar::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

void ProgressBar::finish() {
  clear();
  if (mode_ == ProgressMode::always)
    std::fprintf(stderr, "%s: done in %s s\n", tool_.c_str(), brief(seconds()).c_str());
}

}  // namespace cli
