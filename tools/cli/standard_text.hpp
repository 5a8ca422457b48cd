#pragma once
// Text on standard input and output, even if another process has made them non-blocking.

#include <istream>
#include <string>

namespace cli {

/// Writes text to standard output, buffered, or by lines on a terminal. Throws Error(io).
void put_text(const std::string& text);

/// Flushes standard output. Throws Error(io), also if closing would fail.
void flush_text();

/// Standard input for std::getline; the stream is bad() if reading fails.
std::istream& standard_lines();

/// Would reading from standard_lines() block?
bool standard_lines_would_wait();

}  // namespace cli
