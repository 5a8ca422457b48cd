#pragma once
// The names of temporary files that a signal handler must remove: remove_unfinished_outputs().

#include <string>

namespace attn::io {

struct Unfinished;

/// Null if there is no free entry; the file is still written.
Unfinished* remember(const std::string& path);
void forget(Unfinished* slot);

}  // namespace attn::io
