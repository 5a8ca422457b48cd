#pragma once
// Remedies for text in place of numbers.

#include <attn/core/error.hpp>
#include <attn/core/tensor.hpp>

#include <string>
#include <string_view>

namespace ATTN_API attn {

/// How a user can turn this text, which is almost a number (a date, 45%, 1,234, TRUE), into one. Empty for other text.
std::string way_to_number(std::string_view text);

/// Has it one of these forms?
bool is_nearly_number(std::string_view text);

/// Is it another program's mark of a missing value, which is not read here: NULL, N/A, None, ?, -?
bool is_foreign_missing(std::string_view text) noexcept;

/// The start of a text in quotes, for messages.
std::string shown_text(std::string_view text);

/// " such as 'Smith'": the first text of a tensor; empty if there is none.
std::string such_as(const TensorView& texts);

/// The error for a tensor of text in place of numbers: shows its first text and the remedy.
Error text_for_numbers(const TensorView& x, const std::string& other_way = {});

}  // namespace attn
