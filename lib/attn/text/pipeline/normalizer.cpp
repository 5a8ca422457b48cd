#include <attn/text/pipeline/normalizer.hpp>

#include <array>
#include <functional>

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
    for (const char c : text.text()) is_clean = is_clean && c >= 0x20 && c != 0x7F;  // ASCII, no control character
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

}  // namespace attn::text
