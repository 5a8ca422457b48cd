#pragma once
// Added tokens: found in the text before anything else looks at it, and never cut.

#include <attn/text/encoding.hpp>
#include <attn/text/models/trie.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

struct AddedToken {
  TokenId id = 0;
  std::string content;
  std::string text;          ///< what it is in decoded text; Pipeline::add() sets it
  bool special = false;      ///< left out by decode()
  bool single_word = false;  ///< only where no word character stands beside it
  bool left_strip = false;   ///< takes the white space in front of it along
  bool right_strip = false;  ///< and behind it
  bool normalized = true;    ///< looked for in the normalised text
};

/// Finds added tokens in a text: leftmost first, of those that begin together the longest.
class AddedTokenFinder {
 public:
  void add(std::string_view pattern, const AddedToken& token);
  bool empty() const noexcept { return tokens_.empty(); }

  /// Calls found(token, where) from left to right. Contents do not overlap; the white space that a token takes along
  /// may be a part of the next one too, as in the tokenizers package.
  void each(std::string_view text, const std::function<void(const AddedToken& token, Span where)>& found) const;

 private:
  Trie patterns_;
  std::vector<AddedToken> tokens_;
};

}  // namespace attn::text
