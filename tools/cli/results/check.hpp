#pragma once
// --check: the comparison of results with other tensors.

#include "cli/report.hpp"
#include "cli/result.hpp"
#include "cli/shared_options.hpp"

#include <attn/io/input.hpp>

#include <set>
#include <string>
#include <vector>

namespace cli {

/// A single result is compared with the tensor that --check names. Several results are compared by name with those of
/// a file, which must have all of them; a named dataset is compared only with the result of its name. Streams are
/// compared batch by batch and must have equally many batches; a literal is compared with every batch.
class Check {
 public:
  /// Both must outlive it.
  Check(const SharedOptions& shared, Report& report) : shared_(shared), report_(report) {}

  /// The results of the current batch to compare; none without --check. ResultWriter missing in the operand differ.
  /// Throws Error(usage) if the operand is ambiguous.
  std::set<std::string> choose(const std::set<std::string>& results, attn::io::Inputs& inputs);
  /// Compares this result, in memory, or while it is written if it is computed then.
  void compare(Result& result, attn::io::Inputs& inputs);
  /// Moves on to the next batch; after the last result, checks that the reference has ended too.
  void next_batch(bool results_go_on);

  /// Did anything differ?
  bool failed() const noexcept { return failed_; }

 private:
  std::set<std::string> named(const std::set<std::string>& results, attn::io::Inputs& inputs) const;
  void differs(const std::string& detail);

  const SharedOptions& shared_;
  Report& report_;
  bool is_alone_ = false, failed_ = false;
  attn::Source* stream_ = nullptr;            ///< advanced here, because it is no input
  std::size_t results_ = 1, references_ = 1;  ///< batches of both so far
};

}  // namespace cli
