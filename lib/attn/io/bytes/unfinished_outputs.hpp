#pragma once
// The names of temporary files that a signal handler must remove: remove_unfinished_outputs().

#include <string>

namespace attn::io {

struct Unfinished;

/// Null for a file that finds no free place, which is written all the same.
Unfinished* remember(const std::string& path);
void forget(Unfinished* slot);

}  // namespace attn::io
