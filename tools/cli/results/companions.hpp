#pragma once
// Datasets written along with the results: the stage's input, and other datasets of the inputs.

#include "cli/inputs.hpp"
#include "cli/result.hpp"
#include "cli/results/source_attributes.hpp"
#include "cli/shared_options.hpp"

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

}  // namespace cli
