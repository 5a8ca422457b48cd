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
  /// `file` has the expression, for messages. Throws Error(data) if Oniguruma cannot compile it.
  static Pattern regex(const std::string& expression, std::string file = {});

  /// The steps of backtracking that a text may take, in all its pieces: four million and 16 for each byte. A piece that
  /// needs more is found out within four times as many.
  struct Budget {
    explicit Budget(std::size_t bytes) : steps(4'000'000 + 16 * bytes) {}
    std::size_t steps;
  };

  /// Calls found(match) for the matches in a piece of text from left to right. Throws Error(data) if the budget is too
  /// small.
  void each(std::string_view piece, Budget& budget, const std::function<void(Span match)>& found) const;
  /// In a whole text.
  void each(std::string_view text, const std::function<void(Span match)>& found) const {
    Budget budget(text.size());
    each(text, budget, found);
  }

  /// The expression or the string, for messages.
  const std::string& source() const noexcept { return source_; }

 private:
  struct Compiled;
  Pattern() = default;
  std::string source_, file_;
  std::shared_ptr<const Compiled> compiled_;  // none: a fixed string
};

}  // namespace attn::text
