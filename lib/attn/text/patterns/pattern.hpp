#pragma once
// Patterns of pre-tokenisers and normalisers: a fixed string, or a regular expression compiled by Oniguruma.

#include <attn/text/encoding.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace attn::text {

/// A pattern of a tokenizer file. Its regular expressions have the syntax of Oniguruma, which the tokenizers package
/// uses.
class Pattern {
 public:
  static Pattern literal(std::string text);
  /// Throws Error(data) if Oniguruma cannot compile the expression.
  static Pattern regex(const std::string& expression);

  /// Calls found(match) for the matches in text from left to right. Throws Error(data) if matching needs too much
  /// backtracking.
  void each(std::string_view text, const std::function<void(Span match)>& found) const;

  /// The expression or the string, for messages.
  const std::string& source() const noexcept { return source_; }

 private:
  struct Compiled;
  Pattern() = default;
  std::string source_;
  std::shared_ptr<const Compiled> compiled_;  // none: a fixed string
};

}  // namespace attn::text
