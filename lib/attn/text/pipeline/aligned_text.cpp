#include <attn/core/error.hpp>
#include <attn/text/pipeline/aligned_text.hpp>

#include <algorithm>

namespace attn::text {

Span AlignedText::origin(std::size_t begin, std::size_t end) const {
  if (!tracked_) return {};
  if (origins_.empty()) {
    std::size_t last = end;
    while (begin > 0 && begin < text_.size() && is_continuation_byte(text_[begin])) --begin;
    while (last < text_.size() && last > begin && is_continuation_byte(text_[last])) ++last;
    return {begin_ + begin, begin_ + last};
  }
  if (begin < end) return {origins_[begin].begin, std::max(origins_[end - 1].end, origins_[begin].begin)};
  const std::size_t point = begin < origins_.size() ? origins_[begin].begin : origins_.back().end;
  return {point, point};
}

AlignedText AlignedText::cut(Span part) const {
  AlignedText piece(std::string_view(text_).substr(part.begin, part.size()), begin_, tracked_);
  if (!tracked_ || origins_.empty()) {
    piece.begin_ = begin_ + part.begin;
  } else if (part.size() > 0) {
    piece.origins_.assign(origins_.begin() + static_cast<std::ptrdiff_t>(part.begin),
                          origins_.begin() + static_cast<std::ptrdiff_t>(part.end));
    piece.begin_ = piece.origins_.front().begin;
  }
  piece.from_start_ = std::min(from_start_, part.end) - std::min(from_start_, part.begin);
  return piece;
}

std::vector<Span> AlignedText::explicit_origins() const {
  if (!tracked_ || !origins_.empty()) return origins_;
  std::vector<Span> origins;
  origins.reserve(text_.size());
  for (std::size_t i = 0; i < text_.size();) {
    const std::size_t length = code_point_at(text_, i).length;
    origins.insert(origins.end(), length, {begin_ + i, begin_ + i + length});
    i += length;
  }
  return origins;
}

Rewrite::Rewrite(AlignedText& text) : text_(text), before_(text.explicit_origins()) {
  out_.reserve(text.text_.size() + 8);
  origins_.reserve(before_.size());
}

void Rewrite::keep(std::size_t begin, std::size_t end) {
  if (from_start_ == out_.size() && begin < text_.from_start_) from_start_ += std::min(end, text_.from_start_) - begin;
  out_.append(text_.text_, begin, end - begin);
  if (text_.tracked_)
    origins_.insert(origins_.end(), before_.begin() + static_cast<std::ptrdiff_t>(begin),
                    before_.begin() + static_cast<std::ptrdiff_t>(end));
}

void Rewrite::put(std::string_view bytes, std::size_t begin, std::size_t end) {
  if (from_start_ == out_.size() && begin < text_.from_start_) from_start_ += bytes.size();
  out_ += bytes;
  // Rules that each double a text would fill any memory; no rule of a real tokenizer comes near.
  if (out_.size() > max_growth * (text_.original_size_ + 1024))
    throw Error(ErrorKind::data, "normalizer",
                "a text grows to more than " + std::to_string(max_growth) + " times its length");
  if (!text_.tracked_) return;
  Span origin{text_.begin_, text_.begin_};
  if (begin < end) {
    origin = {before_[begin].begin, before_[end - 1].end};
  } else if (begin > 0) {
    origin = before_[begin - 1];
  }
  origins_.insert(origins_.end(), bytes.size(), origin);
}

void Rewrite::put(char32_t code_point, std::size_t begin, std::size_t end) { put(to_utf8(code_point), begin, end); }

void Rewrite::finish() {
  text_.text_.swap(out_);
  text_.origins_.swap(origins_);
  text_.from_start_ = from_start_;
}

}  // namespace attn::text
