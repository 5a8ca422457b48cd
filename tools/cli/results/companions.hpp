#pragma once
// Datasets written along with the results: the stage's input, and other datasets of the inputs.

#include "cli/record.hpp"
#include "cli/result.hpp"
#include "cli/results/source_attributes.hpp"
#include "cli/shared_options.hpp"

#include <attn/io/input.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cli {

/// The stage's input, for --keep-input.
struct MainInput {
  attn::TensorView tensor;
  attn::Attributes attributes = {};
  const attn::Source* source = nullptr;  ///< null for a literal
  std::string name = {};                 ///< in the source
  bool is_whole = true;
  bool is_positional = false;  ///< INPUT; otherwise the first input of a tool without INPUT
};

/// The origins of a result.
struct Origins {
  attn::io::Inputs* inputs = nullptr;   ///< opens what --check names
  std::vector<attn::Source*> sources;   ///< that data was read from, in the order of first use
  std::optional<MainInput> main_input;  ///< the stage's
  RunLog log;                           ///< of what was read
  std::set<std::string> options;        ///< whose operands were read
};

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
