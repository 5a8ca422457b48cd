#pragma once
// A helper program that reads text and answers with bytes.

#include <string>

namespace cli {

/// The answer of a helper.
struct HelperAnswer {
  std::string output, complaints;  ///< its standard output and standard error
  bool succeeded = false;          ///< exit code 0
};

/// Runs the program `name` from PATH with one option and `input` on its standard input. A signal that ends this process
/// also ends the helper. Throws Error(helper) with `purpose` and `remedy` if it is not installed, Error(io) without
/// descriptors.
HelperAnswer run_helper(const std::string& program, std::string option, const std::string& input,
                        const std::string& purpose, const std::string& remedy);

}  // namespace cli
