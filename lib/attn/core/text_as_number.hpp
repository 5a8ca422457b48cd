#pragma once
// Text where numbers are needed: what to do about it.

#include <attn/core/error.hpp>
#include <attn/core/tensor.hpp>

#include <string>
#include <string_view>

namespace ATTN_API attn {

/// How a user makes a number of this text, which nearly is one: a date, 45%, 1,234, TRUE. Empty for any other text.
std::string way_to_number(std::string_view text);

/// Is it in one of the known forms of those?
bool is_nearly_number(std::string_view text);

/// What other programs write where a value is missing, which nothing here reads: NULL, N/A, None, ?, -.
bool is_foreign_missing(std::string_view text) noexcept;

/// The start of a text in quotes, for messages.
std::string shown_text(std::string_view text);

/// " such as 'Smith'": the first text of a tensor; empty where there is none.
std::string such_as(const TensorView& texts);

/// For a tensor of text where numbers are needed: shows its first text, and the way to numbers.
Error text_for_numbers(const TensorView& x, const std::string& other_way = {});

}  // namespace attn
