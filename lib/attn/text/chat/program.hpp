#pragma once
// A template as a function.

#include <attn/text/chat/context.hpp>

#include <string>

namespace attn::text::chat {

/// Throws Error(data) that names subject and line for what is no Jinja, or a part of it that is not known here. Errors
/// of a run name the line of their statement.
Statement program_of(const std::string& source, const std::string& subject);

}  // namespace attn::text::chat
