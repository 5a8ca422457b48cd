#pragma once
// A template cut into text and tags, and tags into lexemes.

#include <cstddef>
#include <string>
#include <vector>

namespace attn::text::chat {

struct Lexeme {
  enum class Kind { name, integer, number, string, symbol, end };
  Kind kind = Kind::end;
  std::string text;
};

struct Segment {
  enum class Kind { text, print, block };  ///< {{ ... }} prints, {% ... %} is a block
  Kind kind = Kind::text;
  std::string text;
  std::vector<Lexeme> lexemes;  ///< of a tag; `end` is the last
  std::size_t line = 1;
};

/// White space around tags is removed as trim_blocks, lstrip_blocks and the signs - and + ask for. Throws Error(data).
std::vector<Segment> segments_of(std::string source, const std::string& subject);

}  // namespace attn::text::chat
