#pragma once
// Tokens by id and ids by token.

#include <attn/text/encoding.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// A bijection of tokens and ids, in two flat tables with one allocation each.
class Vocabulary {
 public:
  /// Largest accepted id; a file with a larger one is damaged.
  static constexpr TokenId max_id = (TokenId{1} << 24) - 1;

  void reserve(std::size_t tokens, std::size_t bytes);
  /// Throws Error(data) for an id that is negative or too large, and for a token or an id that already exists.
  void add(std::string_view token, TokenId id);

  std::optional<TokenId> find(std::string_view token) const noexcept;
  /// The token of an id; nothing if there is none.
  std::optional<std::string_view> token(TokenId id) const noexcept;
  /// One more than the largest id.
  std::size_t size() const noexcept { return spans_.size(); }
  /// Number of tokens: less than size() if ids have gaps.
  std::size_t count() const noexcept { return count_; }

 private:
  std::size_t slot_of(std::string_view token) const noexcept;

  static constexpr std::size_t absent = static_cast<std::size_t>(-1);
  std::string bytes_;
  std::vector<Span> spans_;           // token of each id in bytes_; begin is `absent` for missing ids
  std::vector<std::uint32_t> slots_;  // open addressing: id + 1, 0 for a free slot
  std::size_t count_ = 0;
};

}  // namespace attn::text
