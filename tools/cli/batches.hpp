#pragma once
// The batches of a run: for main(), and for a tool that moves its inputs on itself.

#include "cli/exit_codes.hpp"

#include <cstddef>
#include <functional>

namespace cli {

class Report;
class Results;
struct Origins;

class Batches {
 public:
  Batches(Origins& origins, Results& results, Report& report) : origins_(origins), results_(results), report_(report) {}

  /// Calls work for each batch of the inputs; under --dry-run it ends where something would be written. `move` moves
  /// the tool's own sources on, and is false when there is no more; none: all inputs together.
  void each(const std::function<void()>& work, const std::function<bool()>& move = {});
  /// Does another one follow?
  bool has_next();
  /// The number of the current one, from 1.
  std::size_t number() const noexcept { return number_; }
  /// Makes the results visible and says how it went.
  ExitCode finish();

 private:
  Origins& origins_;
  Results& results_;
  Report& report_;
  std::size_t number_ = 1;
};

}  // namespace cli
