#pragma once
// The result of a tokenizer: ids, with the origin of each.

#include <attn/core/export.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ATTN_API attn {
namespace text {

using TokenId = std::int64_t;

/// Half-open range of bytes.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const noexcept { return end - begin; }
  friend bool operator==(const Span& a, const Span& b) noexcept { return a.begin == b.begin && a.end == b.end; }
};

/// The text of a pair that a token belongs to.
enum class Origin : std::uint8_t { first, second, added };

/// The tokens of one text or of one pair; all vectors have one entry for each token.
struct Encoding {
  std::vector<TokenId> ids;
  std::vector<TokenId> type_ids;
  std::vector<Origin> origins;  ///< `added`: a special token from the post-processor
  std::vector<Span> offsets;    ///< bytes of the text named by `origins`; empty unless requested, {0, 0} if added
  /// By position, the tokens whose text differs from the vocabulary: unknown ones of Unigram, and added ones with the
  /// white space that they include.
  std::vector<std::pair<std::size_t, std::string>> written;
  bool has_unknown = false;  ///< the vocabulary lacks a part of the text: the unknown token stands for it
  bool truncated = false;    ///< tokens were cut off to fit the maximum length

  std::size_t size() const noexcept { return ids.size(); }
};

enum class Side : std::uint8_t { left, right };

/// The text of a pair to cut if the two together are too long.
enum class Truncation : std::uint8_t { longest_first, only_first, only_second };

struct TruncationOptions {
  std::size_t max_length = 0;  ///< tokens, special ones included; 0: no limit
  Truncation strategy = Truncation::longest_first;
  Side side = Side::right;
};

struct PaddingOptions {
  Side side = Side::right;
  TokenId id = 0;
  TokenId type_id = 0;
  std::size_t multiple = 1;  ///< lengths are rounded up to a multiple of this number
};

struct EncodeOptions {
  bool special_tokens = true;  ///< let the post-processor add [CLS], </s> ...
  bool offsets = false;
  TruncationOptions truncation;
};

}  // namespace text
}  // namespace attn
