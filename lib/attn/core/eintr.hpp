#pragma once
// System calls that end before anything is done.

#include <attn/core/api.hpp>

namespace ATTN_API attn {

/// After read(2), write(2) or one like them failed: is it to be called again? Yes when a signal came in between, and,
/// once the descriptor is ready for `events` of poll(2), when whoever shares it has made it non-blocking. errno stays.
bool is_to_be_repeated(int descriptor, short events) noexcept;

}  // namespace attn
