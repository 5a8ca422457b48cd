#pragma once
// Encodings as tensors, and as lines that people read.

#include <attn/core/tensor.hpp>
#include <attn/text/tokenizer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// B encodings filled up to one length L.
struct EncodingBatch {
  Tensor ids;       ///< (B, L), i64
  Tensor mask;      ///< (B, L), u8: 1 where there is a token, 0 where there is padding
  Tensor type_ids;  ///< (B, L), i64
  Tensor offsets;   ///< (B, L, 2), i64; with no elements where the encodings have none
};

/// Every encoding padded to the longest, rounded up to options.multiple, and to min_length where that is more.
EncodingBatch pad(const std::vector<Encoding>& encodings, const PaddingOptions& options, std::size_t min_length = 0);

/// What is asked of a tokenizer on one line: a text, or two that belong together.
struct TextInput {
  std::string first;
  std::optional<std::string> second;
};

/// A line of JSON: "text", ["text", "second"], or {"text": ..., "pair": ...}. Throws Error(data).
TextInput text_from_json(std::string_view line);
/// A line of JSON: [1, 2, 3] or {"ids": [1, 2, 3]}. Throws Error(data).
std::vector<TokenId> ids_from_json(std::string_view line);
/// Whole numbers with white space or commas between. Throws Error(data) naming the word that is not one.
std::vector<TokenId> ids_from_text(std::string_view line);

/// What is shown of an encoding.
enum class View { ids, tokens };

/// "101 7592 102"; with offsets "101:0-0 7592:0-5 ...", in code points. Tokens have tabs between, as one may be a
/// space.
std::string to_line(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer, View view);
/// {"ids": [...], "tokens": [...], "type_ids": [...], "special_tokens_mask": [...], "offsets": [[b, e], ...]}
std::string to_json(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer);
/// {"text": "..."}
std::string text_to_json(const std::string& text);

}  // namespace attn::text
