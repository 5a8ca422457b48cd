#include "cli/report.hpp"

#include "cli/standard_text.hpp"

#include <cstdio>
#include <utility>

namespace cli {

Report::Report(std::string tool, const ReportOptions& options)
    : progress_bar(tool, options.progress), tool_(std::move(tool)), options_(options) {}

void Report::note(const std::string& text) {
  if (!options_.quiet && !hushed_) say(text);
}

void Report::count(std::size_t number, const std::string& of_one, const std::string& of_several) {
  if (number > 0) counts_[{of_one, of_several}] += number;
}

void Report::note_counts() {
  for (const auto& [text, number] : std::exchange(counts_, {}))
    note(std::to_string(number) + " " + (number == 1 ? text.first : text.second));
}

void Report::detail(const std::string& text) {
  if (options_.verbose) say(text);
}

void Report::say(const std::string& text) {
  progress_bar.clear();
  std::fprintf(stderr, "%s: %s\n", tool_.c_str(), printable(text).c_str());
}

}  // namespace cli
