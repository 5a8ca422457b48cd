#pragma once
// The one error type of the library. The library never prints and never exits: it throws attn::Error, and
// tools/cli turns the kind into an exit code and the text into one line on standard error.

#include <attn/core/shape.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace ATTN_API attn {

/// The kinds of errors that a caller can act on. tools/cli/exit_codes.hpp maps each kind to an exit code.
enum class ErrorKind {
  usage,   ///< the request makes no sense: an option out of its range, two that exclude each other
  data,    ///< the data was read but is not what it must be: a shape, a dtype, a word among numbers
  input,   ///< the input is missing, empty or truncated, or has no such dataset
  helper,  ///< a helper program is not installed
  defect,  ///< an error of this library
  memory,  ///< more memory is needed than the machine has or the limit allows
  create,  ///< an output already exists or cannot be created
  io       ///< reading or writing failed half-way
};

/// Error with the parts that a reader needs: who, what, and what to do.
///
///     what() == "subject: detail; fix"      (the parts that are empty are left out)
///
/// subject  the file, tensor or option it is about, e.g. `run.h5:/q`
/// detail   what is wrong, with expected and actual values
/// fix      what the user can do; may be empty
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string subject, std::string detail, std::string fix = {});

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& subject() const noexcept { return subject_; }
  const std::string& detail() const noexcept { return detail_; }
  const std::string& fix() const noexcept { return fix_; }

 private:
  ErrorKind kind_;
  std::string subject_, detail_, fix_;
};

/// Error of kind `data` for a tensor of the wrong shape: "TENSOR: has shape (3, 4), expected EXPECTED; FIX".
Error shape_error(std::string_view tensor, const Shape& actual, std::string_view expected, std::string fix = {});

}  // namespace attn
