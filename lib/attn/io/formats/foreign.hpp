#pragma once
// Files that are none of the formats read here, by what they begin with.

#include <attn/io/byte_input.hpp>

#include <string>

namespace attn::io {

/// Throws Error(data) for what is no text, and for text that is no table: a Git LFS pointer, a page of HTML, JSON, text
/// that is not UTF-8, and any text in a file whose name promises another format.
void expect_table(ByteInput& input, const std::string& path);

}  // namespace attn::io
