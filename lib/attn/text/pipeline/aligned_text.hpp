#pragma once
// Text on its way through normalisers and pre-tokenisers, with the place in the original that each byte came from.

#include <attn/text/encoding.hpp>
#include <attn/text/unicode.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::text {

/// A text that is being rewritten. Where offsets are not asked for it is a string and nothing else.
class AlignedText {
 public:
  /// Text as it stands in the original from byte `begin` on. tracked: remember where bytes come from.
  AlignedText(std::string_view original, std::size_t begin, bool tracked)
      : text_(original), begin_(begin), original_size_(original.size()), tracked_(tracked) {
    if (begin == 0 && !original.empty()) from_start_ = code_point_at(original, 0).length;
  }

  const std::string& text() const noexcept { return text_; }
  bool tracked() const noexcept { return tracked_; }
  /// Whether byte i came from the first character of the whole original; known without tracking too.
  bool is_from_start(std::size_t i) const noexcept { return i < from_start_; }

  /// The bytes of the original that [begin, end) of the text came from; a code point is never cut.
  Span origin(std::size_t begin, std::size_t end) const;

  /// The part [part.begin, part.end) as a text of its own.
  AlignedText cut(Span part) const;

  /// Changes bytes for others one by one; f(char) -> char.
  template <class F>
  void replace_bytes(F f) {
    for (char& c : text_) c = f(c);
  }

 private:
  friend class Rewrite;
  std::vector<Span> explicit_origins() const;

  std::string text_;
  std::size_t begin_;
  std::size_t original_size_;
  std::size_t from_start_ = 0;  // so many bytes in front came from the first character
  bool tracked_;
  std::vector<Span> origins_;  // one a byte once something was rewritten; before that, byte i came from begin_ + i
};

/// Writes the next version of a text, from front to back.
class Rewrite {
 public:
  /// All rewriting together may make a text so many times as long.
  static constexpr std::size_t max_growth = 64;

  explicit Rewrite(AlignedText& text);

  /// Bytes [begin, end) as they are.
  void keep(std::size_t begin, std::size_t end);
  /// New bytes in the place of [begin, end), which is where they say they came from. Throws Error(data) where the text
  /// grows beyond max_growth.
  void put(std::string_view bytes, std::size_t begin, std::size_t end);
  void put(char32_t code_point, std::size_t begin, std::size_t end);
  /// How long the new version is so far.
  std::size_t size() const noexcept { return out_.size(); }
  /// The new version takes the place of the old one.
  void finish();

 private:
  AlignedText& text_;
  std::string out_;
  std::vector<Span> before_, origins_;
  std::size_t from_start_ = 0;  // as the text's
};

/// A text and how it is cut: pieces are ranges of it, in order; what lies between them is dropped.
struct Pieces {
  AlignedText text;
  std::vector<Span> spans;
};

}  // namespace attn::text
