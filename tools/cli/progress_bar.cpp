#include "cli/progress_bar.hpp"

#include "cli/results/statistics.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

using Seconds = std::chrono::duration<double>;

/// "  12 s left", "  3:05 left", "  2:03:05 left".
std::string time_left(double seconds) {
  const auto whole = static_cast<unsigned long>(std::min(seconds + 0.5, 1e9));
  char text[64];
  if (whole < 60)
    std::snprintf(text, sizeof text, "  %lu s left", whole);
  else if (whole < 3600)
    std::snprintf(text, sizeof text, "  %lu:%02lu left", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "  %lu:%02lu:%02lu left", whole / 3600, whole / 60 % 60, whole % 60);
  return text;
}

}  // namespace

ProgressBar::ProgressBar(std::string tool, const ProgressMode& mode)
    : tool_(std::move(tool)),
      mode_(mode),
      terminal_(can_redraw()),
      start_(Clock::now()),
      last_(start_),
      part_start_(start_) {}

attn::ProgressHook ProgressBar::hook() {
  if (mode_ == ProgressMode::never || (mode_ == ProgressMode::automatic && (!terminal_ || is_another_to_show())))
    return {};
  return [this](std::size_t done, std::size_t total) { update(done, total); };
}

double ProgressBar::seconds() const { return Seconds(Clock::now() - start_).count(); }

void ProgressBar::update(std::size_t done, std::size_t total) {
  if (total == 0) return;
  const std::lock_guard<std::mutex> lock(drawing_);
  const std::size_t percent = done * 100 / total;
  const auto now = Clock::now();
  // Another part of the work begins at 0; threads report a little out of order.
  if (total != total_ || done < done_ / 2) part_start_ = now;
  total_ = total;
  done_ = done;
  if (!terminal_) {
    const std::size_t tenth = percent / 10;
    if (tenth + 1 < tenth_) tenth_ = 0;  // another part of the work; threads report a little out of order
    if (tenth <= tenth_) return;
    tenth_ = tenth;
    std::fprintf(stderr, "%s: %zu %% of %zu\n", tool_.c_str(), tenth_ * 10, total);
    return;
  }
  if (now - last_ < std::chrono::milliseconds(100) || (mode_ == ProgressMode::automatic && seconds() < 1)) return;
  last_ = now;
  constexpr std::size_t width = 40;
  const std::size_t filled = percent * width / 100;
  // At the speed of this part so far, once that is known.
  const double spent = Seconds(now - part_start_).count(),
               share = static_cast<double>(done) / static_cast<double>(total);
  const std::string left = spent >= 1 && share >= 0.01 ? time_left(spent / share - spent) : "";
  std::fprintf(stderr, "\r%s [%s%s] %3zu %%%s\x1b[K", tool_.c_str(), std::string(filled, '#').c_str(),
               std::string(width - filled, ' ').c_str(), percent, left.c_str());
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
