#pragma once
// Sums of the elements of a tensor: the gradients of what repeats elements. Each sum is in f64, in the order of the
// elements, so the bits do not depend on the number of threads.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <vector>

namespace ATTN_API attn {

/// The gradient of broadcast_to(): x summed over the axes along which a tensor of that shape is repeated, in the type
/// of x.
TensorView sum_to(const TensorView& x, const Shape& shape);

/// The gradient of a row that is added to all rows: the sum of the rows of x (rows, n).
TensorView sum_of_rows(const TensorView& x, const Execution& execution = {});

/// The gradient of a look-up in a table of `count` rows: row r of the result (count, n) is `scale` times the sum of the
/// rows i of x (rows, n) with rows[i] = r.
TensorView sum_by_row(const TensorView& x, const std::vector<std::int64_t>& rows, std::size_t count, double scale = 1,
                      const Execution& execution = {});

}  // namespace attn
