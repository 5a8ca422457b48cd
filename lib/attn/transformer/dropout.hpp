#pragma once
// Dropout of hidden states while a model learns.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstddef>
#include <cstdint>

namespace ATTN_API attn {

/// Drops elements at random:
///
///     y = m x / (1 - P),   m = 1 with probability 1 - P, else 0
///
/// m depends on the key, the number of the line and the place of the element in its line, and on nothing else: the same
/// key gives the same m for x and, since y is linear in x, for the gradient by y. Source: Srivastava et al. 2014.
struct Dropout {
  double probability = 0;      ///< P, at least 0 and below 1
  std::uint64_t key = 0;       ///< the seed
  std::size_t first_line = 0;  ///< number of the first line of x in its batch

  /// Another m for each number, of an update or of a layer.
  Dropout below(std::uint64_t number) const;

  /// x (B, ...), f32 or f64, a row for each line; x itself if P is 0.
  TensorView operator()(const TensorView& x, const Execution& execution = {}) const;
};

}  // namespace attn
