#include <attn/text/pipeline/pre_tokenizer.hpp>

#include <attn/core/characters.hpp>
#include <attn/text/pipeline/normalizer.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <iterator>

namespace attn::text {
namespace {

// A run of text: a separator, or the text between two.
struct Run {
  Span span;
  bool separator;
};

// Joins runs into pieces by `behavior`; offsets are relative to `base`. An empty run, from an empty match, is not a
// piece but counts as one for its neighbours.
void cut(const std::vector<Run>& runs, Split behavior, std::size_t base, std::vector<Span>& pieces) {
  const auto first = static_cast<std::ptrdiff_t>(pieces.size());
  bool before = false;  // whether the run before was a separator
  bool open = false;    // whether the next run may be joined to the last piece
  for (const Run& run : runs) {
    const Span here{base + run.span.begin, base + run.span.end};
    bool join = false;
    switch (behavior) {
      case Split::removed:
        if (run.separator) continue;
        break;
      case Split::isolated: break;
      case Split::merged_with_previous: join = open && run.separator && !before; break;
      case Split::merged_with_next: join = open && !run.separator && before; break;
      case Split::contiguous: join = open && run.separator == before; break;
    }
    if (join) {
      pieces.back().end = here.end;
    } else {
      pieces.push_back(here);
    }
    before = run.separator;
    open = true;
  }
  pieces.erase(std::remove_if(pieces.begin() + first, pieces.end(), [](const Span& s) { return s.size() == 0; }),
               pieces.end());
}

// Cuts each piece by its runs: runs_of(text of the piece, runs) fills them from left to right.
template <class RunsOf>
void cut_pieces(Pieces& pieces, Split behavior, RunsOf runs_of) {
  std::vector<Span> spans;
  spans.reserve(pieces.spans.size() * 4);
  std::vector<Run> runs;
  for (const Span& piece : pieces.spans) {
    runs.clear();
    runs_of(std::string_view(pieces.text.text()).substr(piece.begin, piece.size()), runs);
    cut(runs, behavior, piece.begin, spans);
  }
  pieces.spans = std::move(spans);
}

void add_run(std::vector<Run>& runs, std::size_t begin, std::size_t end, bool separator) {
  if (begin < end) runs.push_back({{begin, end}, separator});
}

void runs_of_pattern(const Pattern& pattern, bool invert, std::string_view text, Pattern::Budget& budget,
                     std::vector<Run>& runs) {
  std::size_t done = 0;
  pattern.each(text, budget, [&](Span match) {
    add_run(runs, done, match.begin, invert);
    runs.push_back({match, !invert});
    done = match.end;
  });
  add_run(runs, done, text.size(), invert);
}

// Each code point of the class is a separate separator; the text between is one run.
template <class InClass>
void runs_of_class(InClass in_class, std::string_view text, std::vector<Run>& runs) {
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    if (in_class(c.value)) {
      add_run(runs, done, i, false);
      add_run(runs, i, i + c.length, true);
      done = i + c.length;
    }
    i += c.length;
  }
  add_run(runs, done, text.size(), false);
}

class PatternSplit final : public PreTokenizer {
 public:
  PatternSplit(Pattern pattern, Split behavior, bool invert, std::function<std::string(std::string_view)> seen_as)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert), seen_as_(std::move(seen_as)) {}
  void apply(Pieces& pieces) const override {
    Pattern::Budget budget(pieces.text.text().size());
    cut_pieces(pieces, behavior_, [&](std::string_view text, std::vector<Run>& runs) {
      std::string seen;
      if (seen_as_) text = seen = seen_as_(text);
      runs_of_pattern(pattern_, invert_, text, budget, runs);
    });
  }

 private:
  Pattern pattern_;
  Split behavior_;
  bool invert_;
  std::function<std::string(std::string_view)> seen_as_;
};

class ClassSplit final : public PreTokenizer {
 public:
  ClassSplit(std::function<bool(char32_t)> in_class, Split behavior)
      : in_class_(std::move(in_class)), behavior_(behavior) {}
  void apply(Pieces& pieces) const override {
    cut_pieces(pieces, behavior_,
               [&](std::string_view text, std::vector<Run>& runs) { runs_of_class(in_class_, text, runs); });
  }

 private:
  std::function<bool(char32_t)> in_class_;
  Split behavior_;
};

// White space goes, each punctuation mark is a piece: one pass for both.
class BertPreTokenizer final : public PreTokenizer {
 public:
  void apply(Pieces& pieces) const override {
    std::vector<Span> spans;
    spans.reserve(pieces.text.text().size() / 4);
    const std::string& text = pieces.text.text();
    for (const Span& piece : pieces.spans) {
      std::size_t word = piece.begin;
      const auto end_word = [&](std::size_t at) {
        if (word < at) spans.push_back({word, at});
      };
      for (std::size_t i = piece.begin; i < piece.end;) {
        const CodePoint c = code_point_at(text, i);
        const std::size_t next = i + c.length;
        const bool punctuation = c.value < 0x80 ? is_ascii_punctuation(c.value) : is_punctuation(c.value);
        if (punctuation || is_whitespace(c.value)) {
          end_word(i);
          if (punctuation) spans.push_back({i, next});
          word = next;
        }
        i = next;
      }
      end_word(piece.end);
    }
    pieces.spans = std::move(spans);
  }
};

class Whitespace final : public PreTokenizer {
 public:
  void apply(Pieces& pieces) const override {
    std::vector<Span> spans;
    const std::string& text = pieces.text.text();
    enum Kind { space, word, other };
    for (const Span& piece : pieces.spans) {
      Kind run = space;
      for (std::size_t i = piece.begin; i < piece.end;) {
        const CodePoint c = code_point_at(text, i);
        const Kind kind = is_whitespace(c.value) ? space : is_word(c.value) ? word : other;
        if (kind != space && kind == run) {
          spans.back().end = i + c.length;
        } else if (kind != space) {
          spans.push_back({i, i + c.length});
        }
        run = kind;
        i += c.length;
      }
    }
    pieces.spans = std::move(spans);
  }
};

// GPT-2's pattern (Radford et al. 2019, encoder.py).
constexpr const char* gpt2_pattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

class ByteLevel final : public PreTokenizer {
 public:
  ByteLevel(bool add_prefix_space, bool use_regex) : add_prefix_space_(add_prefix_space), use_regex_(use_regex) {}

  void apply(Pieces& pieces) const override {
    std::vector<Span> cuts = pieces.spans;
    if (add_prefix_space_) cuts = put_spaces(pieces);
    pieces.spans = std::move(cuts);
    Pattern::Budget budget(pieces.text.text().size());
    if (use_regex_)
      cut_pieces(pieces, Split::isolated, [&](std::string_view text, std::vector<Run>& runs) {
        runs_of_pattern(pattern_, false, text, budget, runs);
      });
    spell(pieces);
  }

 private:
  static std::vector<Span> put_spaces(Pieces& pieces) {
    const std::string& text = pieces.text.text();
    Rewrite rewrite(pieces.text);
    std::vector<Span> spans;
    for (const Span& piece : pieces.spans) {
      const std::size_t begin = rewrite.size();
      if (piece.size() > 0 && text[piece.begin] != ' ')
        rewrite.put(" ", piece.begin, piece.begin + code_point_at(text, piece.begin).length);
      rewrite.keep(piece.begin, piece.end);
      spans.push_back({begin, rewrite.size()});
    }
    rewrite.finish();
    return spans;
  }

  static void spell(Pieces& pieces) {
    const std::string& text = pieces.text.text();
    Rewrite rewrite(pieces.text);
    for (Span& piece : pieces.spans) {
      const std::size_t begin = rewrite.size();
      for (std::size_t i = piece.begin; i < piece.end; ++i)
        rewrite.put(spelling_of_byte(static_cast<unsigned char>(text[i])), i, i + 1);
      piece = {begin, rewrite.size()};
    }
    rewrite.finish();
  }

  bool add_prefix_space_, use_regex_;
  Pattern pattern_ = Pattern::regex(gpt2_pattern);
};

class Metaspace final : public PreTokenizer {
 public:
  Metaspace(std::string replacement, Prepend prepend, bool split)
      : replacement_(std::move(replacement)), prepend_(prepend), split_(split) {}

  void apply(Pieces& pieces) const override {
    const std::string& text = pieces.text.text();
    std::vector<Span> spans;
    Rewrite rewrite(pieces.text);
    for (const Span& piece : pieces.spans) {
      if (piece.size() == 0) continue;
      std::size_t begin = rewrite.size();
      const bool spaced = text[piece.begin] == ' ' || text.compare(piece.begin, replacement_.size(), replacement_) == 0;
      const bool at_start = pieces.text.is_from_start(piece.begin);
      if (!spaced && (prepend_ == Prepend::always || (prepend_ == Prepend::first && at_start)))
        rewrite.put(replacement_, piece.begin, piece.begin + code_point_at(text, piece.begin).length);
      for (std::size_t i = piece.begin; i < piece.end;) {
        const std::size_t length = code_point_at(text, i).length;
        const bool separator = text[i] == ' ' || text.compare(i, length, replacement_) == 0;
        if (separator && split_ && rewrite.size() > begin) {
          spans.push_back({begin, rewrite.size()});
          begin = rewrite.size();
        }
        if (text[i] == ' ') {
          rewrite.put(replacement_, i, i + 1);
        } else {
          rewrite.keep(i, i + length);
        }
        i += length;
      }
      spans.push_back({begin, rewrite.size()});
    }
    rewrite.finish();
    pieces.spans = std::move(spans);
  }

 private:
  std::string replacement_;
  Prepend prepend_;
  bool split_;
};

class FixedLength final : public PreTokenizer {
 public:
  explicit FixedLength(std::size_t length) : length_(length) {}
  void apply(Pieces& pieces) const override {
    std::vector<Span> spans;
    for (const Span& piece : pieces.spans) {
      std::size_t count = 0;
      for (std::size_t i = piece.begin; i < piece.end; ++count) {
        const std::size_t next = i + code_point_at(pieces.text.text(), i).length;
        if (count % length_ == 0) spans.push_back({i, i});
        spans.back().end = i = next;
      }
    }
    pieces.spans = std::move(spans);
  }

 private:
  std::size_t length_;
};

class Sequence final : public PreTokenizer {
 public:
  explicit Sequence(std::vector<PreTokenizerPtr> steps) : steps_(std::move(steps)) {}
  void apply(Pieces& pieces) const override {
    for (const auto& step : steps_) step->apply(pieces);
  }

 private:
  std::vector<PreTokenizerPtr> steps_;
};

// All scripts but Common, and Han, Hiragana and Katakana, which count as one. They are tried in this order, so three
// that are frequent come first.
// clang-format off
constexpr const char* other_scripts[] = {
    "Latin", "Cyrillic", "Arabic", "Adlam", "Ahom", "Anatolian_Hieroglyphs", "Armenian", "Avestan", "Balinese",
    "Bamum", "Bassa_Vah", "Batak", "Bengali", "Bhaiksuki", "Bopomofo", "Brahmi", "Braille", "Buginese", "Buhid",
    "Canadian_Aboriginal", "Carian", "Caucasian_Albanian", "Chakma", "Cham", "Cherokee", "Coptic", "Cuneiform",
    "Cypriot", "Deseret", "Devanagari", "Duployan", "Egyptian_Hieroglyphs", "Elbasan", "Ethiopic", "Georgian",
    "Glagolitic", "Gothic", "Grantha", "Greek", "Gujarati", "Gurmukhi", "Hangul", "Hanunoo", "Hatran", "Hebrew",
    "Imperial_Aramaic", "Inherited", "Inscriptional_Pahlavi", "Inscriptional_Parthian", "Javanese", "Kaithi",
    "Kannada", "Kayah_Li", "Kharoshthi", "Khmer", "Khojki", "Khudawadi", "Lao", "Lepcha", "Limbu", "Linear_A",
    "Linear_B", "Lisu", "Lycian", "Lydian", "Mahajani", "Malayalam", "Mandaic", "Manichaean", "Marchen",
    "Meetei_Mayek", "Mende_Kikakui", "Meroitic_Cursive", "Meroitic_Hieroglyphs", "Miao", "Modi", "Mongolian", "Mro",
    "Multani", "Myanmar", "Nabataean", "New_Tai_Lue", "Newa", "Nko", "Ogham", "Ol_Chiki", "Old_Hungarian",
    "Old_Italic", "Old_North_Arabian", "Old_Permic", "Old_Persian", "Old_South_Arabian", "Old_Turkic", "Oriya",
    "Osage", "Osmanya", "Pahawh_Hmong", "Palmyrene", "Pau_Cin_Hau", "Phags_Pa", "Phoenician", "Psalter_Pahlavi",
    "Rejang", "Runic", "Samaritan", "Saurashtra", "Sharada", "Shavian", "Siddham", "SignWriting", "Sinhala",
    "Sora_Sompeng", "Sundanese", "Syloti_Nagri", "Syriac", "Tagalog", "Tagbanwa", "Tai_Le", "Tai_Tham", "Tai_Viet",
    "Takri", "Tamil", "Tangut", "Telugu", "Thaana", "Thai", "Tibetan", "Tifinagh", "Tirhuta", "Ugaritic", "Vai",
    "Warang_Citi", "Yi",
};

// Characters of Oniguruma that are not in Unicode 9. The tokenizers package has the scripts of Unicode 9, in which
// these have no script. The ranges contain no character of Unicode 9 with a script.
struct Range { char32_t first, last; };
constexpr Range after_unicode_9[] = {
    {0x558, 0x558}, {0x560, 0x560}, {0x588, 0x588}, {0x58B, 0x58C}, {0x5C8, 0x5C9}, {0x5EF, 0x5EF}, {0x61D, 0x61D},
    {0x7FD, 0x7FF}, {0x860, 0x89F}, {0x8B5, 0x8B5}, {0x8BE, 0x8D3}, {0x9FC, 0x9FE}, {0xA76, 0xA76}, {0xAFA, 0xAFF},
    {0xB53, 0xB55}, {0xC04, 0xC04}, {0xC3C, 0xC3C}, {0xC5C, 0xC5D}, {0xC77, 0xC77}, {0xC84, 0xC84}, {0xCDC, 0xCDD},
    {0xCF3, 0xD00}, {0xD04, 0xD04}, {0xD3B, 0xD3C}, {0xD81, 0xD81}, {0xE86, 0xE86}, {0xE89, 0xE89}, {0xE8C, 0xE8C},
    {0xE8E, 0xE93}, {0xE98, 0xE98}, {0xEA0, 0xEA0}, {0xEA8, 0xEA9}, {0xEAC, 0xEAC}, {0xEBA, 0xEBA}, {0xECE, 0xECE},
    {0x170D, 0x170D}, {0x1715, 0x171F}, {0x180F, 0x180F}, {0x1878, 0x1878}, {0x1ABF, 0x1AF0}, {0x1B4C, 0x1B4F},
    {0x1B7D, 0x1B7F}, {0x1C89, 0x1CBF}, {0x1CF7, 0x1CF7}, {0x1CFA, 0x1CFA}, {0x1DF6, 0x1DFA}, {0x208F, 0x208F},
    {0x209D, 0x209F}, {0x20BF, 0x20C4}, {0x23FF, 0x23FF}, {0x2427, 0x2429}, {0x2B96, 0x2B97}, {0x2BBA, 0x2BBC},
    {0x2BC9, 0x2BC9}, {0x2BD2, 0x2BEB}, {0x2BF0, 0x2BFF}, {0x2C2F, 0x2C2F}, {0x2C5F, 0x2C5F}, {0x2E45, 0x2E63},
    {0x2FFC, 0x2FFF}, {0x312E, 0x312F}, {0x31BB, 0x31BF}, {0x31E4, 0x31EF}, {0x32FF, 0x32FF}, {0x4DB6, 0x4DBF},
    {0x9FD6, 0x9FFF}, {0xA7AF, 0xA7AF}, {0xA7B8, 0xA7F6}, {0xA82C, 0xA82C}, {0xA8FE, 0xA8FF}, {0xAB66, 0xAB6D},
    {0xFBC2, 0xFBD2}, {0xFD40, 0xFD4F}, {0xFD90, 0xFD91}, {0xFDC8, 0xFDCF}, {0xFDFE, 0xFDFF}, {0x1019C, 0x1019C},
    {0x1032D, 0x1032F}, {0x10570, 0x105F3}, {0x10780, 0x107BF}, {0x10940, 0x10959}, {0x10A34, 0x10A35},
    {0x10A48, 0x10A48}, {0x10D00, 0x10D8F}, {0x10E80, 0x10FF6}, {0x11070, 0x11075}, {0x110C2, 0x110CD},
    {0x11144, 0x11147}, {0x111CE, 0x111CF}, {0x1123F, 0x11241}, {0x1133B, 0x1133B}, {0x11380, 0x113E2},
    {0x1145A, 0x1145A}, {0x1145E, 0x11461}, {0x116B8, 0x116B9}, {0x116D0, 0x116E3}, {0x1171A, 0x1171A},
    {0x11740, 0x1183B}, {0x11900, 0x11ABF}, {0x11B00, 0x11BF9}, {0x11D00, 0x11FFF}, {0x1246F, 0x1246F},
    {0x12475, 0x1247F}, {0x12550, 0x12FF2}, {0x1342F, 0x143FA}, {0x16100, 0x16139}, {0x16A70, 0x16AC9},
    {0x16D40, 0x16ED3}, {0x16F45, 0x16F4F}, {0x16F7F, 0x16F87}, {0x16FE1, 0x16FF6}, {0x187ED, 0x187FF},
    {0x18AF3, 0x1AFFE}, {0x1B002, 0x1B2FB}, {0x1CC00, 0x1CFC3}, {0x1D127, 0x1D128}, {0x1D1E9, 0x1D1FF},
    {0x1D250, 0x1D2F3}, {0x1D372, 0x1D378}, {0x1D6A6, 0x1D6A6}, {0x1DB00, 0x1DFFF}, {0x1E030, 0x1E7FE},
    {0x1E94B, 0x1E94B}, {0x1EC71, 0x1ED3D}, {0x1F10D, 0x1F10F}, {0x1F12F, 0x1F12F}, {0x1F16C, 0x1F16F},
    {0x1F1AD, 0x1F1AE}, {0x1F260, 0x1F265}, {0x1F6D3, 0x1F6DF}, {0x1F6F7, 0x1F6FC}, {0x1F774, 0x1F77F},
    {0x1F7D5, 0x1F7FF}, {0x1F8B0, 0x1F90F}, {0x1F91F, 0x1F91F}, {0x1F928, 0x1F92F}, {0x1F931, 0x1F932},
    {0x1F93F, 0x1F93F}, {0x1F94C, 0x1F94F}, {0x1F95F, 0x1F97F}, {0x1F992, 0x1F9BF}, {0x1F9C1, 0x1FBFA},
    {0x2A6D7, 0x2A6DF}, {0x2B735, 0x2B73F}, {0x2B81E, 0x2B81E}, {0x2CEA2, 0x2EE5D}, {0x30000, 0x323FF},
};
// clang-format on

/// The text as Unicode 9 sees it, of the same length: what is new to it counts as spaces, which have no script either.
std::string as_in_unicode_9(std::string_view text) {
  std::string seen(text);
  for (std::size_t i = skip_ascii(text, 0); i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    const auto range = std::upper_bound(std::begin(after_unicode_9), std::end(after_unicode_9), c.value,
                                        [](char32_t value, const Range& each) { return value < each.first; });
    if (range != std::begin(after_unicode_9) && c.value <= std::prev(range)->last)
      seen.replace(i, c.length, c.length, ' ');
    else if (c.value == 0x589 || c.value == 0x61C)
      seen.replace(i, c.length, "\u00B7");  // Common then, Armenian and Arabic since
    i += c.length;
  }
  return seen;
}

}  // namespace

PreTokenizerPtr split_pre_tokenizer(Pattern pattern, Split behavior, bool invert,
                                    std::function<std::string(std::string_view)> seen_as) {
  return std::make_unique<PatternSplit>(std::move(pattern), behavior, invert, std::move(seen_as));
}

PreTokenizerPtr class_pre_tokenizer(std::function<bool(char32_t)> in_class, Split behavior) {
  return std::make_unique<ClassSplit>(std::move(in_class), behavior);
}

PreTokenizerPtr bert_pre_tokenizer() { return std::make_unique<BertPreTokenizer>(); }

PreTokenizerPtr whitespace_pre_tokenizer() { return std::make_unique<Whitespace>(); }

PreTokenizerPtr byte_level_pre_tokenizer(bool add_prefix_space, bool use_regex) {
  return std::make_unique<ByteLevel>(add_prefix_space, use_regex);
}

PreTokenizerPtr metaspace_pre_tokenizer(std::string replacement, Prepend prepend, bool split) {
  return std::make_unique<Metaspace>(std::move(replacement), prepend, split);
}

PreTokenizerPtr fixed_length_pre_tokenizer(std::size_t code_points) {
  return std::make_unique<FixedLength>(code_points);
}

PreTokenizerPtr pre_tokenizer_sequence(std::vector<PreTokenizerPtr> steps) {
  return std::make_unique<Sequence>(std::move(steps));
}

// Cutting a text where the script changes: "UnicodeScripts" of tokenizer.json.

PreTokenizerPtr unicode_scripts_pre_tokenizer() {
  // A run of one script, which may contain spaces and code points without a script; a space does not begin one.
  const auto run = [](const std::string& script) { return "[" + script + "][" + script + " \\p{Unknown}]*+"; };
  std::string pattern = "(?! )(?:" + run("\\p{Han}\\p{Hiragana}\\p{Katakana}\\x{30FC}");
  pattern += "|" + run("[\\p{Common}&&[^\\x{30FC}]]");
  for (const char* name : other_scripts) pattern += "|" + run(std::string("\\p{") + name + "}");
  pattern += ")";
  return split_pre_tokenizer(Pattern::regex(pattern), Split::removed, true, as_in_unicode_9);
}

}  // namespace attn::text
