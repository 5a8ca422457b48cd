#pragma once
// A template cut into text and tags, and tags into lexemes.

#include <attn/core/error.hpp>

#include <cstddef>
#include <set>
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

/// The place in a template up to which it has been read: lexemes one after the other, up to the end of the tag that
/// they are in; then the next tag, or text between tags.
class Cursor {
 public:
  /// The subject lives as long as the cursor.
  Cursor(const std::string& source, const std::string& subject)
      : segments_(segments_of(source, subject)), subject_(subject) {}

  bool at_end() const { return segment_ == segments_.size(); }
  const Segment& segment() const { return segments_[segment_]; }
  void next_segment() {
    ++segment_;
    at_ = 0;
  }
  void end_tag() {
    if (peek().kind != Lexeme::Kind::end) fail("has '" + peek().text + "', which does not belong there");
    next_segment();
  }

  const Lexeme& peek(std::size_t ahead = 0) const { return segment().lexemes[at_ + ahead]; }
  const Lexeme& next() { return segment().lexemes[at_++]; }
  bool is(const std::string& text, std::size_t ahead = 0) const {
    const Lexeme& lexeme = peek(ahead);
    return (lexeme.kind == Lexeme::Kind::symbol || lexeme.kind == Lexeme::Kind::name) && lexeme.text == text;
  }
  bool take(const std::string& text) {
    const bool found = is(text);
    if (found) ++at_;
    return found;
  }
  void expect(const std::string& text) {
    if (!take(text)) fail("has '" + peek().text + "' where '" + text + "' is expected");
  }
  std::string name() {
    if (peek().kind != Lexeme::Kind::name) fail("has '" + peek().text + "' where a name is expected");
    return next().text;
  }

  /// What nests calls these, so that no template exhausts the stack.
  void enter() {
    if (++depth_ > 200) fail("is nested too deeply");
  }
  void leave() { --depth_; }

  std::set<std::string> names;  ///< of the variables that were read

  /// "subject: line 3", of this segment or the last.
  std::string place() const {
    const std::size_t line = !at_end() ? segment().line : segments_.empty() ? 1 : segments_.back().line;
    return subject_ + ": line " + std::to_string(line);
  }
  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorKind::data, place(), what); }

 private:
  std::vector<Segment> segments_;
  const std::string& subject_;
  std::size_t segment_ = 0, at_ = 0, depth_ = 0;
};

}  // namespace attn::text::chat
