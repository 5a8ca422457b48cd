#include <attn/text/pipeline/normalizer.hpp>
#include <attn/text/pipeline/pre_tokenizer.hpp>

#include <algorithm>

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

}  // namespace attn::text
