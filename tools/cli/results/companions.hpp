#pragma once
// What is written along with the results: the stage's input, other datasets of the inputs, and the history.

#include "cli/inputs.hpp"
#include "cli/result.hpp"
#include "cli/shared_options.hpp"

#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cli {

/// Tensors with their attributes, and the attributes of the groups and sources that they come from.
struct Companions {
  std::vector<Result> results;
  GroupAttributes groups;
};

/// The datasets of --keep-input and --keep. The main result is called `main_name` in the file `output`.
/// Throws Error(usage) for two datasets of one name, Error(input) for a pattern that nothing matches, Error(data) for
/// a dataset that cannot be read.
Companions companions(const SharedOptions& shared, const std::vector<Result>& results, const std::string& main_name,
                      const std::string& output, const Origins& origins, const Note& note);

/// The line of this run, followed by those of the sources; lines shared by sources occur once. At most 60 kB, because
/// an attribute of the pipe format holds less than 64 KB. `with_clock` or the environment's SOURCE_DATE_EPOCH adds the
/// time; without them equal runs give equal bytes.
std::string history(const std::string& command_line, bool with_clock, const std::vector<attn::Source*>& sources);

/// The same for results added to a file: the lines of the file follow the newest. `replaces`: the results replace what
/// an equal run wrote there, whose line goes; with `is_source`, also from the lines of the sources, of which the file
/// is one.
std::string history_beside(const attn::Source& present, const std::string& history, bool replaces, bool is_source);

}  // namespace cli
