#include <attn/text/pipeline/normalizer.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

#include <utf8proc.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace attn::text {
namespace {

// Calls f(code point, begin, end) for each code point of the text.
template <class F>
void each_code_point(const std::string& text, F f) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    f(c.value, i, i + c.length);
    i += c.length;
  }
}

void lowercase(AlignedText& text) {
  if (is_ascii(text.text())) {
    text.replace_bytes([](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return;
  }
  Rewrite rewrite(text);
  std::u32string lower;
  each_code_point(text.text(), [&](char32_t c, std::size_t begin, std::size_t end) {
    lower.clear();
    append_lowercase(lower, c);
    if (lower.size() == 1 && lower[0] == c) return rewrite.keep(begin, end);
    for (const char32_t small : lower) rewrite.put(small, begin, end);
  });
  rewrite.finish();
}

void to_form(AlignedText& text, Form form) {
  const std::string& bytes = text.text();
  if (is_ascii(bytes)) return;
  Rewrite rewrite(text);
  std::u32string segment, normal;
  std::vector<std::size_t> at, sources;  // where each code point of the segment begins; where the normal ones come from
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t begin = i;
    segment.clear();
    at.clear();
    do {
      const CodePoint c = code_point_at(bytes, i);
      segment += c.value;
      at.push_back(i);
      i += c.length;
    } while (i < bytes.size() && joins_previous(code_point_at(bytes, i).value, form));
    if (segment.size() == 1 && stands_for_itself(segment[0], form)) {
      rewrite.keep(begin, i);
      continue;
    }
    normalize(segment, form, normal, sources);
    at.push_back(i);
    for (std::size_t k = 0; k < normal.size(); ++k) rewrite.put(normal[k], at[sources[k]], at[sources[k] + 1]);
  }
  rewrite.finish();
}

template <class Predicate>
void remove_if(AlignedText& text, Predicate unwanted) {
  if (is_ascii(text.text())) return;  // no code point of ASCII is a mark
  Rewrite rewrite(text);
  each_code_point(text.text(), [&](char32_t c, std::size_t begin, std::size_t end) {
    if (!unwanted(c)) rewrite.keep(begin, end);
  });
  rewrite.finish();
}

class BertNormalizer final : public Normalizer {
 public:
  explicit BertNormalizer(const BertNormalization& what) : what_(what) {}

  void apply(AlignedText& text) const override {
    if (what_.clean_text) clean(text);
    if (what_.space_out_ideographs) space_out(text);
    if (what_.strip_accents) {
      to_form(text, Form::nfd);
      remove_if(text, is_nonspacing_mark);
    }
    if (what_.lowercase) lowercase(text);
  }

 private:
  static void clean(AlignedText& text) {
    bool is_clean = true;
    for (const unsigned char c : text.text())
      is_clean = is_clean && c >= 0x20 && c < 0x7F;  // ASCII, no control character
    if (is_clean) return;
    Rewrite rewrite(text);
    each_code_point(text.text(), [&](char32_t c, std::size_t begin, std::size_t end) {
      if (c == '\t' || c == '\n' || c == '\r' || (c != ' ' && is_whitespace(c))) {
        // White space that is a control character too (vertical tab, form feed, next line) is dropped as such.
        if (c == '\t' || c == '\n' || c == '\r' || !is_control(c)) rewrite.put(" ", begin, end);
      } else if (c != 0 && c != 0xFFFD && !is_control(c)) {
        rewrite.keep(begin, end);
      }
    });
    rewrite.finish();
  }

  static void space_out(AlignedText& text) {
    if (is_ascii(text.text())) return;
    Rewrite rewrite(text);
    each_code_point(text.text(), [&](char32_t c, std::size_t begin, std::size_t end) {
      const bool spaced = is_cjk_ideograph(c);
      if (spaced) rewrite.put(" ", begin, end);
      rewrite.keep(begin, end);
      if (spaced) rewrite.put(" ", begin, end);
    });
    rewrite.finish();
  }

  BertNormalization what_;
};

class SimpleNormalizer final : public Normalizer {
 public:
  explicit SimpleNormalizer(std::function<void(AlignedText&)> what) : what_(std::move(what)) {}
  void apply(AlignedText& text) const override { what_(text); }

 private:
  std::function<void(AlignedText&)> what_;
};

NormalizerPtr simple(std::function<void(AlignedText&)> what) {
  return std::make_unique<SimpleNormalizer>(std::move(what));
}

void strip(AlignedText& text, bool left, bool right) {
  const std::string& bytes = text.text();
  std::size_t begin = 0, end = bytes.size();
  if (left)
    while (begin < end && is_whitespace(code_point_at(bytes, begin).value)) begin += code_point_at(bytes, begin).length;
  while (right && end > begin) {
    std::size_t last = end - 1;
    while (is_continuation_byte(bytes[last])) --last;
    if (!is_whitespace(code_point_at(bytes, last).value)) break;
    end = last;
  }
  if (begin == 0 && end == bytes.size()) return;
  Rewrite rewrite(text);
  rewrite.keep(begin, end);
  rewrite.finish();
}

void nmt(AlignedText& text) {
  Rewrite rewrite(text);
  each_code_point(text.text(), [&](char32_t c, std::size_t begin, std::size_t end) {
    const bool dropped =
        (c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
    const bool space = c == 9 || c == 0xA || c == 0xC || c == 0xD || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
                       c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
    if (space) {
      rewrite.put(" ", begin, end);
    } else if (!dropped) {
      rewrite.keep(begin, end);
    }
  });
  rewrite.finish();
}

struct Spelling {
  std::array<char32_t, 256> of_byte{};
  std::array<int, 0x180> byte_of{};  // all spellings are below U+0180

  Spelling() {
    byte_of.fill(-1);
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      of_byte[byte] = printable ? byte : next++;
      byte_of[of_byte[byte]] = static_cast<int>(byte);
    }
  }
};

const Spelling& spelling() {
  static const Spelling table;
  return table;
}

// A double array as darts-clone stores it: units of 32 bits, little-endian.
class DoubleArray {
 public:
  explicit DoubleArray(std::vector<std::uint32_t> units) : units_(std::move(units)) {}

  // The value of the shortest prefix of key that has one.
  std::optional<std::uint32_t> shortest_prefix(std::string_view key) const {
    std::size_t node = offset(unit(0));
    for (const char c : key) {
      const auto byte = static_cast<unsigned char>(c);
      node ^= byte;
      const std::uint32_t here = unit(node);
      if ((here & (1u << 31 | 0xFF)) != byte) return std::nullopt;
      node ^= offset(here);
      if (here >> 8 & 1) return unit(node) & 0x7FFFFFFF;
    }
    return std::nullopt;
  }

 private:
  std::uint32_t unit(std::size_t node) const { return node < units_.size() ? units_[node] : 1u << 31; }
  static std::size_t offset(std::uint32_t unit) { return (unit >> 10) << ((unit & 1u << 9) >> 6); }

  std::vector<std::uint32_t> units_;
};

class Precompiled final : public Normalizer {
 public:
  Precompiled(DoubleArray rules, std::string replacements)
      : rules_(std::move(rules)), replacements_(std::move(replacements)) {}

  void apply(AlignedText& text) const override {
    const std::string& bytes = text.text();
    Rewrite rewrite(text);
    for (std::size_t i = 0; i < bytes.size();) {
      const std::size_t end = grapheme_end(bytes, i);
      const std::string_view grapheme = std::string_view(bytes).substr(i, end - i);
      // Longer graphemes have no rule of their own (the package's own limit).
      if (const auto whole = grapheme.size() < 6 ? replacement(grapheme) : std::nullopt) {
        put_characters(*whole, bytes, i, end, rewrite);
      } else {
        for (std::size_t k = i; k < end;) {
          const std::size_t length = code_point_at(bytes, k).length;
          if (const auto one = replacement(std::string_view(bytes).substr(k, length))) {
            rewrite.put(*one, k, k + length);
          } else {
            rewrite.keep(k, k + length);
          }
          k += length;
        }
      }
      i = end;
    }
    rewrite.finish();
  }

 private:
  /// Each new character comes from the old one at its place, further ones from the last.
  static void put_characters(std::string_view put, std::string_view bytes, std::size_t begin, std::size_t end,
                             Rewrite& rewrite) {
    for (std::size_t k = 0; k < put.size();) {
      const std::size_t length = code_point_at(put, k).length, next = begin + code_point_at(bytes, begin).length;
      rewrite.put(put.substr(k, length), begin, next);
      if (next < end) begin = next;
      k += length;
    }
  }

  static std::size_t grapheme_end(std::string_view text, std::size_t begin) {
    utf8proc_int32_t state = 0;
    CodePoint before = code_point_at(text, begin);
    std::size_t i = begin + before.length;
    while (i < text.size()) {
      const CodePoint next = code_point_at(text, i);
      if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before.value),
                                           static_cast<utf8proc_int32_t>(next.value), &state))
        break;
      before = next;
      i += next.length;
    }
    return i;
  }

  std::optional<std::string_view> replacement(std::string_view text) const {
    const auto at = rules_.shortest_prefix(text);
    if (!at || *at >= replacements_.size() || is_continuation_byte(replacements_[*at])) return std::nullopt;
    const std::size_t end = replacements_.find('\0', *at);
    return std::string_view(replacements_).substr(*at, end == std::string::npos ? end : end - *at);
  }

  DoubleArray rules_;
  std::string replacements_;  // strings that end with a zero byte, found by where they begin
};

}  // namespace

char32_t spelling_of_byte(unsigned char byte) noexcept { return spelling().of_byte[byte]; }

int byte_of_spelling(char32_t c) noexcept { return c < 0x180 ? spelling().byte_of[c] : -1; }

NormalizerPtr bert_normalizer(const BertNormalization& what) { return std::make_unique<BertNormalizer>(what); }

NormalizerPtr form_normalizer(Form form) {
  return simple([form](AlignedText& text) { to_form(text, form); });
}

NormalizerPtr lowercase_normalizer() { return simple(lowercase); }

NormalizerPtr strip_normalizer(bool left, bool right) {
  return simple([left, right](AlignedText& text) { strip(text, left, right); });
}

NormalizerPtr strip_accents_normalizer() {
  return simple([](AlignedText& text) { remove_if(text, is_mark); });
}

NormalizerPtr replace_normalizer(Pattern pattern, std::string content) {
  return simple([pattern = std::move(pattern), content = std::move(content)](AlignedText& text) {
    Rewrite rewrite(text);
    std::size_t done = 0;
    pattern.each(text.text(), [&](Span match) {
      rewrite.keep(done, match.begin);
      // If several code points are replaced, the last one is the origin of the content.
      std::size_t last = match.end;
      while (last > match.begin && is_continuation_byte(text.text()[--last])) {
      }
      rewrite.put(content, last, match.end);
      done = match.end;
    });
    if (done == 0 && rewrite.size() == 0) return;
    rewrite.keep(done, text.text().size());
    rewrite.finish();
  });
}

NormalizerPtr prepend_normalizer(std::string prefix) {
  return simple([prefix = std::move(prefix)](AlignedText& text) {
    if (text.text().empty()) return;
    Rewrite rewrite(text);
    rewrite.put(prefix, 0, code_point_at(text.text(), 0).length);
    rewrite.keep(0, text.text().size());
    rewrite.finish();
  });
}

NormalizerPtr byte_level_normalizer() {
  return simple([](AlignedText& text) {
    Rewrite rewrite(text);
    for (std::size_t i = 0; i < text.text().size(); ++i)
      rewrite.put(spelling_of_byte(static_cast<unsigned char>(text.text()[i])), i, i + 1);
    rewrite.finish();
  });
}

NormalizerPtr nmt_normalizer() { return simple(nmt); }

NormalizerPtr normalizer_sequence(std::vector<NormalizerPtr> steps) {
  // A function object is copied; what it holds must be copyable.
  auto shared = std::make_shared<std::vector<NormalizerPtr>>(std::move(steps));
  return simple([shared](AlignedText& text) {
    for (const auto& step : *shared) step->apply(text);
  });
}

// sentencepiece's compiled normalisation rules, as the `tokenizers` package applies them: by grapheme, then by code
// point, the shortest prefix that has a rule deciding.

NormalizerPtr precompiled_normalizer(std::string_view table) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::data, "compiled rules", why); };
  const auto number_at = [&](std::size_t i) {
    std::uint32_t value = 0;
    for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(table[i + k]);
    return value;
  };
  if (table.size() < 4) refuse("are " + std::to_string(table.size()) + " bytes, expected 4 or more");
  const std::size_t bytes = number_at(0);
  if (bytes % 4 != 0 || bytes > table.size() - 4)
    refuse("say that their index takes " + std::to_string(bytes) + " bytes, there are " +
           std::to_string(table.size() - 4));
  std::vector<std::uint32_t> units(bytes / 4);
  for (std::size_t i = 0; i < units.size(); ++i) units[i] = number_at(4 + 4 * i);
  std::string replacements(table.substr(4 + bytes));
  if (find_invalid_utf8(replacements)) refuse("have a replacement that is not UTF-8");
  return std::make_unique<Precompiled>(DoubleArray(std::move(units)), std::move(replacements));
}

}  // namespace attn::text
