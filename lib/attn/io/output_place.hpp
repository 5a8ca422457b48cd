#pragma once
// Where the operand of an output leads.

#include <attn/core/api.hpp>

#include <optional>
#include <string>

namespace ATTN_API attn {
namespace io {

struct OutputPlace {
  /// An open descriptor of this process, which "-", /dev/stdout, /dev/fd/N and links to them name. It is written
  /// through, as opening it anew would lose its position, and a new file of its name what others have written.
  std::optional<int> descriptor;
  std::string file;  ///< otherwise: the name that symbolic links end at, whether there is such a file or not
};

OutputPlace place_of_output(const std::string& path);

/// Would what is written to one of them take the place of what is written to the other, however they are spelled?
bool is_one_output(const std::string& path, const std::string& other);

}  // namespace io
}  // namespace attn
