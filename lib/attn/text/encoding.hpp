#pragma once
// What a tokenizer makes of a text: ids, and for each id where it came from.

#include <attn/core/api.hpp>

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

/// Which of the two texts of a pair a token belongs to.
enum class Origin : std::uint8_t { first, second, added };

/// The tokens of one text or of one pair; all vectors have one entry a token.
struct Encoding {
  std::vector<TokenId> ids;
  std::vector<TokenId> type_ids;
  std::vector<Origin> origins;  ///< `added`: a special token that the post-processor put there
  std::vector<Span> offsets;    ///< bytes of the text named by `origins`; empty unless asked for, {0, 0} where added
  /// By place, the tokens that the text has otherwise than the vocabulary: unknown ones of Unigram, and added ones with
  /// the white space that they take.
  std::vector<std::pair<std::size_t, std::string>> written;
  bool truncated = false;  ///< tokens were cut off to keep to the maximum length

  std::size_t size() const noexcept { return ids.size(); }
};

enum class Side : std::uint8_t { left, right };

/// Which text of a pair gives up tokens when the two together are too long.
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
  std::size_t multiple = 1;  ///< lengths are rounded up to a multiple of it
};

struct EncodeOptions {
  bool special_tokens = true;  ///< let the post-processor add [CLS], </s> ...
  bool offsets = false;
  TruncationOptions truncation;
};

}  // namespace text
}  // namespace attn
