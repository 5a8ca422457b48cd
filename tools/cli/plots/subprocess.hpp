#pragma once
// A helper program that is fed a text and answers with bytes.

#include <string>

namespace cli {

/// What a helper said.
struct HelperAnswer {
  std::string output, complaints;  ///< its standard output and standard error
  bool succeeded = false;          ///< exit code 0
};

/// Runs the program of this name in PATH with one option and `input` on its standard input. It ends when a signal ends
/// this process. Throws Error(helper) with `purpose` and `remedy` where it is not installed, Error(io) without
/// descriptors.
HelperAnswer run_helper(const std::string& program, std::string option, const std::string& input,
                        const std::string& purpose, const std::string& remedy);

}  // namespace cli
