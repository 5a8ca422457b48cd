#pragma once
// Keys and values that cannot be used as they lie in memory, since a past stands in front of them or their dtypes
// differ: made alike a block at a time where that takes less memory than all at once.

#include <attn/attention/problem/blocks.hpp>

namespace attn {

/// Blocks of views, which must outlive them; or nothing where keys and values are used where they lie, or made alike
/// all at once.
std::optional<BlockSource> joined_blocks(const ProblemViews& views);

}  // namespace attn
