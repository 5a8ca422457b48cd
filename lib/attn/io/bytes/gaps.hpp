#pragma once
// Parts of a mapped file with wide gaps between them.

#include <attn/core/tensor.hpp>

#include <functional>

namespace attn::io {

/// Does x, a part of a mapped file, leave out most of the pages between its first and its last element? Touched one
/// after the other, such elements make the system read the gaps too, megabytes ahead of each.
bool is_scattered(const TensorView& x);

/// Calls `copy`, which goes through the elements of x once, with only the pages that hold them read from the file, and
/// gives the pages back.
void read_scattered(const TensorView& x, const std::function<void()>& copy);

}  // namespace attn::io
