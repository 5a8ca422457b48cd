#pragma once
// Keys and values that cannot be used in place, because they follow a past or their dtypes differ: converted a block at
// a time if that needs less memory.

#include <attn/attention/problem/blocks.hpp>

namespace attn {

/// Blocks of the views, which must outlive them; none if keys and values are used in place or converted at once.
std::optional<BlockSource> joined_blocks(const ProblemViews& views);

}  // namespace attn
