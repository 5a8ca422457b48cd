#pragma once
// Names of options in other programs and libraries, and what serves their purpose here.

#include <string>

namespace cli {

/// What to write in place of `option` (its name, with dashes or not), for a tool that has no option of that name; empty
/// if no program that is known here has one. "did you mean --zero-attention?"
std::string advice_on(const std::string& option, const std::string& tool);

}  // namespace cli
