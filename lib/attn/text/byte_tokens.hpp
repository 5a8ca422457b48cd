#pragma once
// Byte fallback: tokens <0x00> ... <0xFF> for the bytes of characters that a vocabulary does not have.

#include <attn/text/vocabulary.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace attn::text {

/// The ids of the 256 byte tokens; empty when the vocabulary lacks one of them, and nothing can fall back.
std::vector<TokenId> byte_tokens(const Vocabulary& vocabulary);

/// The byte that a token stands for, <0x41> for A.
std::optional<unsigned char> byte_of_token(std::string_view token) noexcept;

}  // namespace attn::text
