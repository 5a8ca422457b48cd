#pragma once
// Text in normalisers and pre-tokenisers, with the origin of each byte in the original.

#include <attn/text/encoding.hpp>
#include <attn/text/unicode.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::text {

/// A text that is being rewritten. Without offsets it is only a string.
class AlignedText {
 public:
  /// Text of the original from byte `begin` on. tracked: keep the origin of each byte.
  AlignedText(std::string_view original, std::size_t begin, bool tracked)
      : text_(original), begin_(begin), original_size_(original.size()), tracked_(tracked) {
    if (begin == 0 && !original.empty()) from_start_ = code_point_at(original, 0).length;
  }

  const std::string& text() const noexcept { return text_; }
  bool tracked() const noexcept { return tracked_; }
  /// Is byte i from the first character of the whole original? Known without tracking too.
  bool is_from_start(std::size_t i) const noexcept { return i < from_start_; }

  /// The bytes of the original for [begin, end) of the text; code points are never cut.
  Span origin(std::size_t begin, std::size_t end) const;

  /// The part [part.begin, part.end) as a text of its own.
  AlignedText cut(Span part) const;

  /// Replaces bytes one by one; f(char) -> char.
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
  std::size_t from_start_ = 0;  // number of leading bytes from the first character
  bool tracked_;
  std::vector<Span> origins_;  // one for each byte after a change; before, byte i is from begin_ + i
};

/// Writes the next version of a text, from start to end.
class Rewrite {
 public:
  /// Largest growth of a text by all rewriting together.
  static constexpr std::size_t max_growth = 64;

  explicit Rewrite(AlignedText& text);

  /// Keeps bytes [begin, end).
  void keep(std::size_t begin, std::size_t end);
  /// Puts new bytes in place of [begin, end), which becomes their origin. Throws Error(data) if the text grows beyond
  /// max_growth.
  void put(std::string_view bytes, std::size_t begin, std::size_t end);
  void put(char32_t code_point, std::size_t begin, std::size_t end);
  /// Length of the new version so far.
  std::size_t size() const noexcept { return out_.size(); }
  /// Replaces the old version by the new one.
  void finish();

 private:
  AlignedText& text_;
  std::string out_;
  std::vector<Span> before_, origins_;
  std::size_t from_start_ = 0;  // as in the text
};

/// A text and its pieces: ranges in order; bytes between them are dropped.
struct Pieces {
  AlignedText text;
  std::vector<Span> spans;
};

}  // namespace attn::text
