#pragma once
// Parts of a mapped file with wide gaps between them.

#include <attn/core/tensor.hpp>

#include <functional>

namespace attn::io {

/// Does x, a part of a mapped file, skip most of the pages between its first and last element? Read in sequence, such
/// elements make the system read the gaps too, megabytes ahead of each.
bool is_scattered(const TensorView& x);

/// Calls `copy`, which reads the elements of x once, so that only their pages are read from the file, and then releases
/// the pages.
void read_scattered(const TensorView& x, const std::function<void()>& copy);

}  // namespace attn::io
