#pragma once
// Commands in messages, as a shell reads them.

#include <attn/core/export.hpp>

#include <string>

namespace ATTN_API attn {

/// A word quoted for a shell, on one line; plain words are not quoted.
std::string shell_quoted(const std::string& word);

}  // namespace attn
