#pragma once
// What --check compares results with.

#include "cli/report.hpp"
#include "cli/result.hpp"
#include "cli/shared_options.hpp"

#include <attn/io/input.hpp>

#include <set>
#include <string>
#include <vector>

namespace cli {

/// A result alone is compared with the tensor that --check names. Of several results, all are compared by name with
/// those of a file, which must have all of them; a dataset that is named is compared with the result of its name alone.
/// Streams are compared batch by batch and must have equally many; a literal serves all batches.
class Check {
 public:
  /// Both must outlive it.
  Check(const SharedOptions& shared, Report& report) : shared_(shared), report_(report) {}

  /// Which results of the batch that is written now are to be compared; none without --check. Those that are not there
  /// differ. Throws Error(usage) where it cannot be told which of them is meant.
  std::set<std::string> choose(const std::set<std::string>& results, attn::io::Inputs& inputs);
  /// Compares the result of such a name.
  void compare(const std::string& name, const attn::TensorView& result, attn::io::Inputs& inputs);
  /// Moves on to the batch of the next results; at their end, makes sure that there is no more.
  void next_batch(bool results_go_on);

  /// Something differed.
  bool failed() const noexcept { return failed_; }

 private:
  std::set<std::string> named(const std::set<std::string>& results, attn::io::Inputs& inputs) const;
  void differs(const std::string& detail);

  const SharedOptions& shared_;
  Report& report_;
  bool is_alone_ = false, failed_ = false;
  attn::Source* stream_ = nullptr;            ///< moves on here, as it is no input
  std::size_t results_ = 1, references_ = 1;  ///< batches of both so far
};

}  // namespace cli
