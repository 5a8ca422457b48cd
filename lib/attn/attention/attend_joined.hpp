#pragma once
// Keys and values that cannot be used as they lie in memory, since a past stands in front of them or their dtypes
// differ: made alike a block at a time where that takes less memory than all at once. Private to attend().

#include <attn/attention/attend.hpp>

namespace attn {

/// The result, or nothing where make_problem() makes keys and values anew as a whole, or uses them where they lie.
std::optional<AttendResult> attend_joined(const AttendInputs& inputs, const AttendParameters& parameters,
                                          const AttendRequest& request, const Execution& execution);

}  // namespace attn
