#pragma once
// Tab completion of shells, from the same table as --help.

#include "cli/help.hpp"

namespace cli {

/// The script that bash, zsh or fish loads to complete the tool's command line. Throws Error(usage) for another shell.
std::string completions(const HelpText& help, const std::string& shell);

}  // namespace cli
