#pragma once
// Whole numbers of a table that says nothing of their type.

#include <attn/core/stream.hpp>

#include <optional>
#include <string>

namespace attn::io {

/// What source.read(name, part) gives as f64, which rounds whole numbers beyond 2^53: as `dtype`, where that is i64 or
/// u64, the source is a table of text without a dtype of its own, and all these numbers are such; else nothing.
std::optional<TensorView> read_whole_numbers(Source& source, const std::string& name, const Slab& part, DType dtype);

}  // namespace attn::io
