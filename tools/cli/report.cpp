#include "cli/report.hpp"

#include "cli/printable.hpp"

#include <cstdio>
#include <utility>

namespace cli {

Report::Report(std::string tool, const ReportOptions& options)
    : progress_bar(tool, options.progress), tool_(std::move(tool)), options_(options) {}

void Report::note(const std::string& text) {
  if (!options_.quiet && !hushed_) say(text);
}

void Report::detail(const std::string& text) {
  if (options_.verbose) say(text);
}

void Report::say(const std::string& text) {
  progress_bar.clear();
  std::fprintf(stderr, "%s: %s\n", tool_.c_str(), printable(text).c_str());
}

}  // namespace cli
