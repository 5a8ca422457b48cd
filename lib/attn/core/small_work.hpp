#pragma once
// What is done before other threads would have been called is done alone.

#include <attn/core/execution.hpp>

namespace attn {

/// `execution` for work of that many additions or the like: without other threads where these are few.
inline Execution for_work(std::size_t steps, const Execution& execution) {
  constexpr std::size_t small_work = std::size_t{1} << 17;
  Execution own = execution;
  if (steps < small_work) own.pool = nullptr;
  return own;
}

}  // namespace attn
