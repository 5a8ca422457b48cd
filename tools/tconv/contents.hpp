#pragma once
// What an operand gives to be listed.

#include "cli/session.hpp"
#include "tconv/listing.hpp"
#include "tconv/options.hpp"

#include <string>

namespace tconv {

/// The selected tensors, groups and unreadable entries of the file or group that an operand names; the one tensor that
/// it names, where that is a literal, a part, or columns of a table. Throws Error(input) where that is nothing.
Contents contents_of(const Options& o, const std::string& text, cli::Session& session);

}  // namespace tconv
