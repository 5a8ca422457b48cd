#pragma once
// Options that a tool does not have: names in other programs and libraries, and words that were mistyped.

#include <string>

namespace cli {

struct HelpText;

/// What to write in place of `option`, with dashes or not: "did you mean --zero-attention?", a sentence on the name in
/// other programs, or where the options are shown.
std::string advice_on(const std::string& option, const HelpText& help);

}  // namespace cli
