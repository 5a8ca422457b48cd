#pragma once
// The target of the operand of an output.

#include <attn/core/api.hpp>

#include <optional>
#include <string>

namespace ATTN_API attn {
namespace io {

struct OutputPlace {
  /// An open descriptor of this process, named by "-", /dev/stdout, /dev/fd/N or links to them. It is written directly:
  /// opening it again would lose its position, and a new file would lose what others have written.
  std::optional<int> descriptor;
  std::string file;  ///< otherwise: the name at the end of symbolic links, even if there is no such file
};

OutputPlace place_of_output(const std::string& path);

/// The name of the regular file that a descriptor of this process writes to, such as fit.csv for the standard output of
/// `tool > fit.csv`; empty for pipes and devices, and where the system does not tell.
std::string file_of_descriptor(int descriptor);

/// Are both the same output, in any spelling, so that one would overwrite the other?
bool is_one_output(const std::string& path, const std::string& other);

}  // namespace io
}  // namespace attn
