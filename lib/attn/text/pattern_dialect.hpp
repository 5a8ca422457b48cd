#pragma once
// Regular expressions of tokenizer files are written for Oniguruma (Ruby's syntax, Unicode); PCRE2 compiles them here.

#include <string>
#include <utility>
#include <vector>

namespace attn::text {

/// An expression in the words of PCRE2.
struct PatternTranslation {
  std::string expression;
  /// Where a part of it begins, and where the part that it stands for begins in the original; ascending.
  std::vector<std::pair<std::size_t, std::size_t>> places;

  /// Where in the original the byte `at` of the expression comes from.
  std::size_t original(std::size_t at) const;
};

/// Translates what the two dialects take for different things: \w, \s, \b, \h, \v, \u, properties and scripts, POSIX
/// brackets, classes inside others and their intersections, \X, (?m), intervals before + and ?. What both read alike
/// stays as it is, mistakes included, for PCRE2 to find. Throws Error(data) with the place of what cannot be said.
PatternTranslation translate_pattern(const std::string& oniguruma);

/// Throws Error(data): what is wrong with an expression, at a byte of it.
[[noreturn]] void refuse_pattern(const std::string& expression, std::size_t at, const std::string& why);

}  // namespace attn::text
