#pragma once
// Text through standard input and output, also where whoever shares them has made them non-blocking.

#include <istream>
#include <string>

namespace cli {

/// Text on standard output, in pieces of some size or, on a terminal, of lines. Throws Error(io).
void put_text(const std::string& text);

/// Sends what waits. Throws Error(io), also where closing would fail.
void flush_text();

/// Standard input for std::getline; the stream is bad() where reading fails.
std::istream& standard_lines();

/// Would reading from standard_lines() have to wait for whoever writes to it?
bool standard_lines_would_wait();

}  // namespace cli
