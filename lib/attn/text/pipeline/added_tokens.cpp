#include <attn/text/pipeline/added_tokens.hpp>

#include <attn/text/unicode.hpp>

#include <algorithm>

namespace attn::text {

namespace {

std::size_t begin_of_code_point_before(std::string_view text, std::size_t i) {
  do --i;
  while (is_continuation_byte(text[i]));
  return i;
}

std::size_t begin_of_white_space_before(std::string_view text, std::size_t i) {
  while (i > 0) {
    const std::size_t before = begin_of_code_point_before(text, i);
    if (!is_whitespace(code_point_at(text, before).value)) break;
    i = before;
  }
  return i;
}

bool word_before(std::string_view text, std::size_t i) {
  return i > 0 && is_word(code_point_at(text, begin_of_code_point_before(text, i)).value);
}

bool word_at(std::string_view text, std::size_t i) { return i < text.size() && is_word(code_point_at(text, i).value); }

}  // namespace

void AddedTokenFinder::add(std::string_view pattern, const AddedToken& token) {
  if (pattern.empty()) return;
  patterns_.add(pattern, static_cast<std::uint32_t>(tokens_.size()));
  tokens_.push_back(token);
}

void AddedTokenFinder::each(std::string_view text, const std::function<void(const AddedToken&, Span)>& found) const {
  std::size_t done = 0;  // where the token before ends
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t index = Trie::no_value;
    std::size_t end = i;
    Trie::Node node = Trie::root;
    for (std::size_t k = i; k < text.size(); ++k) {
      node = patterns_.step(node, static_cast<unsigned char>(text[k]));
      if (node == Trie::none) break;
      if (patterns_.value(node) != Trie::no_value) {
        index = patterns_.value(node);
        end = k + 1;
      }
    }
    if (index == Trie::no_value) {
      ++i;
      continue;
    }
    const AddedToken& token = tokens_[index];
    std::size_t begin = i;
    i = end;
    if (token.single_word && (word_before(text, begin) || word_at(text, end))) continue;
    if (token.left_strip) begin = std::max(begin_of_white_space_before(text, begin), done);
    if (token.right_strip)
      while (end < text.size() && is_whitespace(code_point_at(text, end).value)) end += code_point_at(text, end).length;
    if (begin < end) found(token, {begin, end});  // else it is white space that the token before took
    done = end;
  }
}

}  // namespace attn::text
