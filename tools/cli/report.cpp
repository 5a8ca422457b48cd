#include "cli/report.hpp"

#include "cli/printable.hpp"
#include "cli/shared_options.hpp"

#include <cstdio>
#include <utility>

namespace cli {

Report::Report(std::string tool, const SharedOptions& shared)
    : progress_bar(tool, shared.progress), tool_(std::move(tool)), shared_(shared) {}

void Report::note(const std::string& text) {
  if (!shared_.quiet && !hushed_) say(text);
}

void Report::detail(const std::string& text) {
  if (shared_.verbose) say(text);
}

void Report::say(const std::string& text) {
  progress_bar.clear();
  std::fprintf(stderr, "%s: %s\n", tool_.c_str(), printable(text).c_str());
}

}  // namespace cli
