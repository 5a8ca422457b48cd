#pragma once
// Repeating interrupted system calls.

#include <attn/core/api.hpp>

namespace ATTN_API attn {

/// Should a failed read(2), write(2) or similar call be repeated? Yes after a signal, and, once the descriptor is ready
/// for `events` of poll(2), if another process made a shared descriptor non-blocking. Keeps errno.
bool is_to_be_repeated(int descriptor, short events) noexcept;

}  // namespace attn
