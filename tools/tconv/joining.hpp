#pragma once
// Many tensors into one.

#include <attn/core/tensor.hpp>

#include <cstdint>
#include <vector>

namespace tconv {

/// The numbers, which were read as f64 or i64 as their text says nothing of types, as that type where each is one of
/// its values; else as they are.
attn::TensorView as_integers(const attn::TensorView& numbers, attn::DType dtype);

/// All along a new axis. Shapes must be equal. Integers of unlike dtypes become i64 or u64, others f32 or f64. Throws
/// Error(data) for an integer that f64 would round.
attn::TensorView stacked(const std::vector<attn::TensorView>& parts, std::int64_t axis);

/// One behind the other along an axis that they have; the other extents must be equal; dtypes as
/// above.
attn::TensorView concatenated(const std::vector<attn::TensorView>& parts, std::int64_t axis);

}  // namespace tconv
