#pragma once
// The contents of an operand, to be listed.

#include "cli/session.hpp"
#include "tconv/listing.hpp"
#include "tconv/options.hpp"

#include <string>

namespace tconv {

/// The selected tensors, groups and unreadable entries of the file or group that an operand names, or the one tensor if
/// it names a literal, a part, or columns of a table. Throws Error(input) if nothing is there.
Contents contents_of(const Options& o, const std::string& text, cli::Session& session);

}  // namespace tconv
