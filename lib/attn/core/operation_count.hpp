#pragma once
// The number of operations in a dry run.

#include <attn/core/api.hpp>

#include <atomic>

namespace ATTN_API attn {

/// Additions and multiplications, by any number of threads; an exponential counts as one.
class OperationCount {
 public:
  void add(double operations) noexcept {
    double before = total_;
    while (!total_.compare_exchange_weak(before, before + operations)) {
    }
  }
  /// Returns the count and resets it.
  double take() noexcept { return total_.exchange(0); }

 private:
  std::atomic<double> total_{0};
};

}  // namespace attn
