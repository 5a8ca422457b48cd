#pragma once
// Products with a matrix that lies as a file stores it: for what is multiplied once, or for the first time.

#include <attn/core/execution.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/tensor.hpp>
#include <attn/matrix/packed_matrix.hpp>

namespace attn {

/// More rows than these earn the copy of a PackedMatrix at once.
inline constexpr std::size_t most_stored_rows = 8;

/// Can multiply_stored() read it? weight (out, in), one of its strides 1, and of a type that `compute` multiplies.
bool is_readable_as_stored(const TensorView& weight, DType compute, Isa isa);

/// y (rows, out) = act(x (rows, in) W^T + bias), the bits of PackedMatrix::multiply. The weight is read once, from
/// where it lies, and nothing is allocated. x and y: contiguous rows, which do not overlap.
template <class T>
void multiply_stored(const TensorView& weight, Strided<const T, 2> x, Strided<T, 2> y, const Epilogue<T>& epilogue,
                     const Execution& execution);

}  // namespace attn
