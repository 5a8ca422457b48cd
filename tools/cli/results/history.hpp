#pragma once
// Provenance: the `history` attribute of results.

#include <attn/core/stream.hpp>

#include <string>
#include <vector>

namespace cli {

/// One line for this run, the newest, above those of the sources that were read; lines that two sources share stand
/// once. At most 60 kB: an attribute of the pipe format holds less than 64 KB. `with_clock` or SOURCE_DATE_EPOCH in the
/// environment put the time in front; without them equal runs give equal bytes.
std::string history(const std::string& command_line, bool with_clock, const std::vector<attn::Source*>& sources);

/// The same where the results are added to what is in a file: its lines come below the newest.
std::string history_beside(const attn::Source& present, const std::string& history);

}  // namespace cli
