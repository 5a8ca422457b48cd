#pragma once
// The expressions of a template as functions.

#include <attn/text/chat/context.hpp>
#include <attn/text/chat/cursor.hpp>

namespace attn::text::chat {

// Each reads what it names and throws Error(data) for what is no Jinja.

/// "a if b else c", or what binds more tightly.
Expression expression(Cursor& in);
Expression or_expression(Cursor& in);
/// One expression, or the list "a, b".
Expression list_expression(Cursor& in);

}  // namespace attn::text::chat
