#pragma once
// Names and values from files, before they go to a terminal.

#include <string>
#include <string_view>

namespace cli {

/// The text with its control characters, and bytes that are no UTF-8, as "\x1b", "\n", "\t": a name in a file must not
/// move the cursor, set colours or look like another line.
std::string printable(std::string_view text);

/// A word as a shell reads it back, in one line; plain words stay as they are.
std::string shell_quoted(const std::string& word);

}  // namespace cli
