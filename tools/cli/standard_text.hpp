#pragma once
// Text on standard input and output, even if another process has made them non-blocking, and names and values from
// files made safe for a terminal.

#include <attn/core/shell.hpp>

#include <istream>
#include <string>
#include <string_view>

namespace cli {

/// Writes text to standard output, buffered, or by lines on a terminal. Throws Error(io).
void put_text(const std::string& text);

/// Flushes standard output. Throws Error(io), also if closing would fail.
void flush_text();

/// Standard input for std::getline; the stream is bad() if reading fails.
std::istream& standard_lines();

/// Would reading from standard_lines() block?
bool standard_lines_would_wait();

/// The text with control characters and invalid UTF-8 as "\x1b", "\n", "\t": a name in a file must not move the
/// cursor, set colours or look like another line.
std::string printable(std::string_view text);

using attn::shell_quoted;

}  // namespace cli
