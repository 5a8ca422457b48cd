#include <attn/text/chat/lexer.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace attn::text::chat {
namespace {

constexpr const char* white = " \t\n\r\v\f";

class Cutter {
 public:
  Cutter(std::string source, const std::string& subject) : source_(std::move(source)), subject_(subject) {}

  std::vector<Segment> all() {
    while (at_ < source_.size()) {
      const std::size_t tag = next_tag();
      add_text(source_.substr(at_, tag - at_), tag);
      at_ = tag;
      if (at_ < source_.size()) take_tag();
    }
    return std::move(segments_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) {
    throw Error(ErrorKind::data, subject_ + ": line " + std::to_string(line_of(at_)), what);
  }

  /// Places are asked for in their order.
  std::size_t line_of(std::size_t at) {
    for (; counted_ < at; ++counted_) line_ += source_[counted_] == '\n' ? 1 : 0;
    return line_;
  }

  std::size_t next_tag() const {
    for (std::size_t i = at_; i + 1 < source_.size(); ++i)
      if (source_[i] == '{' && (source_[i + 1] == '{' || source_[i + 1] == '%' || source_[i + 1] == '#')) return i;
    return source_.size();
  }

  /// The text before a tag, without what the tag removes.
  void add_text(std::string text, std::size_t tag) {
    const char kind = tag + 1 < source_.size() ? source_[tag + 1] : '\0';
    const char sign = tag + 2 < source_.size() ? source_[tag + 2] : '\0';
    if (tag < source_.size() && sign == '-') {
      text.erase(text.find_last_not_of(white) + 1);
    } else if (tag < source_.size() && kind != '{' && sign != '+') {
      const std::size_t line = text.rfind('\n') + 1;
      const bool begins_line = line > 0 || is_line_start_;
      if (begins_line && text.find_first_not_of(" \t\v\f\r", line) == std::string::npos) text.erase(line);
    }
    if (!text.empty()) segments_.push_back({Segment::Kind::text, text, {}, line_of(at_)});
  }

  void take_tag() {
    const char kind = source_[at_ + 1];
    const std::size_t line = line_of(at_);
    if (kind == '#') {
      const std::size_t end = source_.find("#}", at_ + 2);
      if (end == std::string::npos) fail("has a comment without end");
      at_ = end;
      return end_tag(kind, source_[end - 1]);
    }
    if (const std::size_t begin = end_of_tag(at_, "raw"); begin > 0) return take_raw(begin);
    at_ += 2;
    if (at_ < source_.size() && (source_[at_] == '-' || source_[at_] == '+')) ++at_;
    Segment tag{kind == '{' ? Segment::Kind::print : Segment::Kind::block, {}, {}, line};
    const std::string close = kind == '{' ? "}}" : "%}";
    std::size_t depth = 0;
    for (;;) {
      at_ = std::min(source_.find_first_not_of(white, at_), source_.size());
      if (at_ == source_.size()) fail("has a tag without end");
      const bool signed_end = source_[at_] == '-' || source_[at_] == '+';
      if (depth == 0 && source_.compare(at_ + (signed_end ? 1 : 0), 2, close) == 0) {
        const char sign = signed_end ? source_[at_] : '\0';
        at_ += signed_end ? 1 : 0;
        tag.lexemes.push_back({});
        segments_.push_back(std::move(tag));
        return end_tag(kind, sign);
      }
      tag.lexemes.push_back(lexeme());
      const std::string& text = tag.lexemes.back().text;
      if (tag.lexemes.back().kind != Lexeme::Kind::symbol) continue;
      if (text == "(" || text == "[" || text == "{") ++depth;
      if ((text == ")" || text == "]" || text == "}") && depth-- == 0) fail("closes a bracket that is not open");
    }
  }

  bool is_sign(std::size_t at) const { return at < source_.size() && (source_[at] == '-' || source_[at] == '+'); }

  /// The end of {% word %} if it stands there, else 0.
  std::size_t end_of_tag(std::size_t at, const std::string& word) const {
    if (source_.compare(at, 2, "{%") != 0) return 0;
    at = source_.find_first_not_of(white, at + (is_sign(at + 2) ? 3 : 2));
    if (at == std::string::npos || source_.compare(at, word.size(), word) != 0) return 0;
    at = std::min(source_.find_first_not_of(white, at + word.size()), source_.size());
    if (is_sign(at)) ++at;
    return source_.compare(at, 2, "%}") == 0 ? at + 2 : 0;
  }

  /// The text up to {% endraw %}, in which nothing is a tag.
  void take_raw(std::size_t begin) {
    at_ = source_[begin - 3] == '-' ? std::min(source_.find_first_not_of(white, begin), source_.size()) : begin;
    is_line_start_ = false;
    std::size_t end = source_.find("{%", at_);
    while (end != std::string::npos && end_of_tag(end, "endraw") == 0) end = source_.find("{%", end + 2);
    if (end == std::string::npos) fail("has a raw part without end");
    add_text(source_.substr(at_, end - at_), end);
    at_ = end_of_tag(end, "endraw") - 2;
    end_tag('%', source_[at_ - 1]);
  }

  /// Goes past the two characters that end a tag, and past the white space that it removes.
  void end_tag(char kind, char sign) {
    at_ += 2;
    is_line_start_ = false;
    const std::size_t end = at_;
    if (sign == '-')
      at_ = std::min(source_.find_first_not_of(white, at_), source_.size());
    else if (kind != '{' && sign != '+' && source_.compare(at_, 1, "\n") == 0)
      ++at_;
    is_line_start_ = at_ > end && source_[at_ - 1] == '\n';
  }

  Lexeme lexeme() {
    const auto c = static_cast<unsigned char>(source_[at_]);
    if (std::isalpha(c) != 0 || c == '_')
      return run(Lexeme::Kind::name, [](unsigned char d) { return std::isalnum(d) != 0 || d == '_'; });
    if (std::isdigit(c) != 0) return number();
    if (c == '\'' || c == '"') return {Lexeme::Kind::string, quoted()};
    for (const char* two : {"==", "!=", "<=", ">=", "//", "**"})
      if (source_.compare(at_, 2, two) == 0) {
        at_ += 2;
        return {Lexeme::Kind::symbol, two};
      }
    if (std::string("+-*/%~|.,:()[]{}<>=").find(source_[at_]) == std::string::npos)
      fail("has a character that no expression has: " + std::string(1, source_[at_]));
    return {Lexeme::Kind::symbol, std::string(1, source_[at_++])};
  }

  template <class Belongs>
  Lexeme run(Lexeme::Kind kind, Belongs belongs) {
    const std::size_t start = at_;
    while (at_ < source_.size() && belongs(static_cast<unsigned char>(source_[at_]))) ++at_;
    return {kind, source_.substr(start, at_ - start)};
  }

  Lexeme number() {
    const auto is_digit = [](unsigned char d) { return std::isdigit(d) != 0 || d == '_'; };
    const auto at = [&](std::size_t i) { return i < source_.size() ? source_[i] : '\0'; };
    const auto has_digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(at(i))) != 0; };
    const bool is_element = at_ > 0 && at(at_ - 1) == '.';  // x.0.1
    if (at(at_) == '0' && std::string("xXoObB").find(at(at_ + 1)) != std::string::npos && at(at_ + 1) != '\0')
      return run(Lexeme::Kind::integer, [](unsigned char d) { return std::isalnum(d) != 0 || d == '_'; });
    Lexeme all = run(Lexeme::Kind::integer, is_digit);
    if (is_element) return all;
    const auto go_on = [&](std::size_t beside) {
      all.kind = Lexeme::Kind::number;
      all.text += source_.substr(at_, beside);
      at_ += beside;
      all.text += run(Lexeme::Kind::integer, is_digit).text;
    };
    if (at(at_) == '.' && has_digit(at_ + 1)) go_on(1);
    if (at(at_) == 'e' || at(at_) == 'E') {
      const std::size_t sign = is_sign(at_ + 1) ? 1 : 0;
      if (has_digit(at_ + 1 + sign)) go_on(1 + sign);
    }
    if (all.kind == Lexeme::Kind::number)
      all.text.erase(std::remove(all.text.begin(), all.text.end(), '_'), all.text.end());
    return all;
  }

  std::string quoted() {
    const char quote = source_[at_++];
    std::string text;
    for (; at_ < source_.size() && source_[at_] != quote; ++at_) {
      if (source_[at_] != '\\' || at_ + 1 == source_.size()) {
        text += source_[at_];
        continue;
      }
      const char escaped = source_[++at_];
      const std::string from = "ntrbfav\\'\"", to = "\n\t\r\b\f\a\v\\'\"";
      const std::size_t digits = escaped == 'x' ? 2 : escaped == 'u' ? 4 : escaped == 'U' ? 8 : 0;
      if (const std::size_t known = from.find(escaped); known != std::string::npos) {
        text += to[known];
      } else if (escaped == '\n') {
        continue;
      } else if (escaped >= '0' && escaped <= '7') {
        const std::size_t end = std::min(source_.find_first_not_of("01234567", at_), at_ + 3);
        const std::string code = source_.substr(at_, end - at_);
        text::append_utf8(text, static_cast<char32_t>(std::strtoul(code.c_str(), nullptr, 8)));
        at_ += code.size() - 1;
      } else if (escaped == 'N') {
        fail("has a character by its name, \\N{...}, which is not known here");
      } else if (digits > 0) {
        const std::string code = source_.substr(at_ + 1, digits);
        text::append_utf8(text, static_cast<char32_t>(std::strtoul(code.c_str(), nullptr, 16)));
        at_ += code.size();
      } else {
        text += '\\';
        text += escaped;
      }
    }
    if (at_ == source_.size()) fail("has a text without end");
    ++at_;
    return text;
  }

  const std::string source_;
  const std::string& subject_;
  std::size_t at_ = 0, counted_ = 0, line_ = 1;
  bool is_line_start_ = true;
  std::vector<Segment> segments_;
};

}  // namespace

std::vector<Segment> segments_of(std::string source, const std::string& subject) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source[i] != '\r' || i + 1 == source.size() || source[i + 1] != '\n') source[kept++] = source[i];
  source.resize(kept);
  if (!source.empty() && source.back() == '\n') source.pop_back();
  return Cutter(std::move(source), subject).all();
}

}  // namespace attn::text::chat
