#pragma once
// Files of other formats, recognised by their start.

#include <attn/io/byte_input.hpp>

#include <string>

namespace attn::io {

/// Throws Error(data) for binary data, and for text that is not a table: a Git LFS pointer, a page of HTML, JSON, text
/// that is not UTF-8, and any text in a file with the suffix of another format.
void expect_table(ByteInput& input, const std::string& path);

}  // namespace attn::io
