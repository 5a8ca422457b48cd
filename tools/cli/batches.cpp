#include "cli/batches.hpp"

#include "cli/report.hpp"
#include "cli/results.hpp"

namespace cli {

void Batches::each(const std::function<void()>& work, const std::function<bool()>& move) {
  for (bool goes_on = true; goes_on; number_ += goes_on) {
    try {
      work();
    } catch (const DryRunEnded&) {
    }
    // What was read is let go before more comes, and answered before it is waited for.
    results_.end_batch([this] { return has_next(); });
    origins_.log.read.clear();
    origins_.main_input.reset();
    goes_on = move ? move() : origins_.inputs->next_batch();
    results_.next_batch(goes_on);
  }
}

bool Batches::has_next() { return origins_.inputs->has_next_batch(); }

ExitCode Batches::finish() {
  const bool is_as_checked = results_.finish(number_);
  report_.progress_bar.finish();
  return is_as_checked && !report_.said_no() ? done : said_no;
}

}  // namespace cli
