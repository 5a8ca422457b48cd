#pragma once
// Added tokens, which are found in the text before anything else and are never cut.

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
  std::string text;          ///< its form in decoded text; Pipeline::add() sets it
  bool special = false;      ///< omitted by decode()
  bool single_word = false;  ///< only if no word character is next to it
  bool left_strip = false;   ///< includes the white space before it
  bool right_strip = false;  ///< and after it
  bool normalized = true;    ///< searched in the normalised text
};

/// Finds added tokens in a text: the leftmost first, the longest if several begin there.
class AddedTokenFinder {
 public:
  void add(std::string_view pattern, const AddedToken& token);
  bool empty() const noexcept { return tokens_.empty(); }

  /// Calls found(token, where) from left to right. Contents do not overlap; white space that a token includes may also
  /// belong to the next one, as in the tokenizers package.
  void each(std::string_view text, const std::function<void(const AddedToken& token, Span where)>& found) const;

 private:
  Trie patterns_;
  std::vector<AddedToken> tokens_;
};

}  // namespace attn::text
