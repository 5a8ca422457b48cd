#pragma once
// Names and values from files, made safe for a terminal.

#include <string>
#include <string_view>

namespace cli {

/// The text with control characters and invalid UTF-8 as "\x1b", "\n", "\t": a name in a file must not move the
/// cursor, set colours or look like another line.
std::string printable(std::string_view text);

/// A word quoted for a shell, on one line; plain words are not quoted.
std::string shell_quoted(const std::string& word);

}  // namespace cli
