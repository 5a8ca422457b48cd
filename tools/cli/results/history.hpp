#pragma once
// Provenance: the `history` attribute of results.

#include <attn/core/source_sink.hpp>

#include <string>
#include <vector>

namespace cli {

/// The line of this run, followed by those of the sources; lines shared by sources occur once. At most 60 kB, because
/// an attribute of the pipe format holds less than 64 KB. `with_clock` or the environment's SOURCE_DATE_EPOCH adds the
/// time; without them equal runs give equal bytes.
std::string history(const std::string& command_line, bool with_clock, const std::vector<attn::Source*>& sources);

/// The same for results added to a file: the lines of the file follow the newest. `replaces`: the results replace what an
/// equal run wrote there, whose line goes; with `is_source`, also from the lines of the sources, of which the file is
/// one.
std::string history_beside(const attn::Source& present, const std::string& history, bool replaces, bool is_source);

}  // namespace cli
