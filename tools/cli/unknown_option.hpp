#pragma once
// Options that a tool does not have: names in other programs and libraries, and words that were mistyped.

#include <string>
#include <vector>

namespace cli {

struct HelpText;

/// What to write in place of `option`, with dashes or not: "did you mean --zero-attention?", a sentence on the name in
/// other programs, or where the options are shown.
std::string advice_on(const std::string& option, const HelpText& help);

/// How the last of several operands is given to a tool that takes one.
std::string advice_on_operands(const std::vector<std::string>& operands, const std::string& tool);

}  // namespace cli
