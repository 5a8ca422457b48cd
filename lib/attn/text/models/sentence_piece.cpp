#include <attn/core/error.hpp>
#include <attn/text/models/sentence_piece.hpp>
#include <attn/text/piece_processor.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <new>

namespace attn::text {

namespace {

using Processor = std::shared_ptr<const PieceProcessor>;

class SentencePiece final : public Model {
 public:
  /// ids: of the pieces in the vocabulary.
  SentencePiece(Processor processor, OwnVocabulary own, std::vector<TokenId> ids, TextRules rules)
      : Model(std::move(own.tokens)),
        processor_(std::move(processor)),
        ids_(std::move(ids)),
        shows_unknown_(own.shows_unknown),
        takes_language_(own.takes_language),
        rules_(rules) {
    unknown_ = vocabulary_.find(own.unknown);
  }

  std::optional<TokenId> shown_as_written() const override { return shows_unknown_ ? unknown_ : std::nullopt; }

  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override {
    const std::size_t language = takes_language_ ? language_end(piece) : 0;
    if (language == 0) return tokenize_words(piece, tokens);
    tokens.push_back({vocabulary_.find(piece.substr(0, language)).value_or(*unknown_), {0, language}});
    const std::size_t before = tokens.size();
    tokenize_words(piece.substr(language), tokens);
    for (std::size_t i = before; i < tokens.size(); ++i)
      tokens[i].span = {tokens[i].span.begin + language, tokens[i].span.end + language};
  }

 private:
  static constexpr std::string_view space = "\u2581";

  /// Where ">>fra<<" ends at the start of a text; 0: there is none.
  static std::size_t language_end(std::string_view text) {
    const std::size_t end = text.substr(0, 2) == ">>" ? text.find("<<") : std::string_view::npos;
    return end == std::string_view::npos ? 0 : end + 2;
  }

  void tokenize_words(std::string_view piece, std::vector<Token>& tokens) const {
    struct Taken {
      std::vector<Token>& tokens;
      const std::vector<TokenId>& ids;
    } taken{tokens, ids_};
    const auto take = [](void* to, int id, std::size_t begin, std::size_t end) {
      auto& [all, ids] = *static_cast<Taken*>(to);
      all.push_back({ids[static_cast<std::size_t>(id)], {begin, end}});
    };
    const std::size_t before = tokens.size();
    if (!processor_->encode(piece, take, &taken)) throw std::bad_alloc();
    if (rules_ == TextRules::of_model)
      for (std::size_t i = before; i < tokens.size(); ++i) leave_space_out(piece, tokens, i);
    // If a character has several tokens, such as its bytes, the library assigns all of it to the last one.
    for (std::size_t i = tokens.size(); i-- > before + 1;) {
      const Span next = tokens[i].span;
      if (Span& span = tokens[i - 1].span; span.size() == 0 && span.begin == next.begin) span = next;
    }
  }

  std::string_view token(TokenId id) const { return vocabulary_.token(id).value_or(""); }
  bool begins_with_space(TokenId id) const { return token(id).substr(0, space.size()) == space; }

  // The space before a word is not part of its offsets. If the space is a separate piece, it has the first character of
  // the word, as in transformers, unless it is one of several spaces.
  void leave_space_out(std::string_view text, std::vector<Token>& tokens, std::size_t i) const {
    const TokenId id = tokens[i].id;
    Span& span = tokens[i].span;
    if (!begins_with_space(id)) return;
    if (token(id).find_first_not_of(space) == std::string_view::npos &&
        (token(id) != space || (i + 1 < tokens.size() && begins_with_space(tokens[i + 1].id))))
      return;
    std::size_t word = span.begin;
    CodePoint c{};
    while (word < text.size() && is_whitespace((c = code_point_at(text, word)).value)) word += c.length;
    if (word < text.size()) span = {word, std::max(span.end, word + c.length)};
  }

  Processor processor_;
  std::vector<TokenId> ids_;
  bool shows_unknown_, takes_language_;
  TextRules rules_;
};

// sentencepiece joins runs of its own pieces; special and added tokens between them stay as they are.
class SentencePieceDecoder final : public Decoder {
 public:
  explicit SentencePieceDecoder(Processor processor) : processor_(std::move(processor)) {}

  void apply(std::vector<std::string>& tokens) const override {
    std::string text;
    std::vector<int> run;
    const auto end_run = [&] {
      const auto take = [](void* to, const char* part, std::size_t bytes) {
        static_cast<std::string*>(to)->append(part, bytes);
      };
      if (!processor_->decode(run.data(), run.size(), take, &text))
        throw Error(ErrorKind::data, "sentencepiece", "cannot make text of these ids");
      run.clear();
    };
    for (const std::string& token : tokens) {
      const int id = processor_->id(token);
      const bool own = processor_->piece(id) == token && !processor_->is_control(id);
      if (own) {
        run.push_back(id);
      } else {
        end_run();
        text += token;
      }
    }
    end_run();
    tokens.assign(1, std::move(text));
  }

 private:
  Processor processor_;
};

// normalizer_spec (3) { precompiled_charsmap (2): "", add_dummy_prefix (3): false, remove_extra_whitespaces (4): false
// }: of fields that a serialised message has twice the last counts.
constexpr std::string_view without_rules("\x1a\x06\x12\x00\x18\x00\x20\x00", 8);

}  // namespace

std::shared_ptr<Tokenizer::Pipeline> sentence_piece_pipeline(std::string_view model, const std::string& name,
                                                             TextRules rules, std::optional<OwnVocabulary> own) {
  Processor processor = load_pieces(model, name);
  // Only now, as the end of a model that is cut off might go on with the rules.
  if (rules == TextRules::none) processor = load_pieces(std::string(model).append(without_rules), name);
  const int pieces = processor->size();
  std::vector<TokenId> ids;
  if (own) {
    const TokenId unknown = own->tokens.find(own->unknown).value();
    for (int id = 0; id < pieces; ++id) ids.push_back(own->tokens.find(processor->piece(id)).value_or(unknown));
  } else {
    Vocabulary& vocabulary = own.emplace().tokens;
    vocabulary.reserve(static_cast<std::size_t>(pieces), 8 * static_cast<std::size_t>(pieces));
    for (int id = 0; id < pieces; ++id) vocabulary.add(std::string(processor->piece(id)), ids.emplace_back(id));
  }
  auto pipeline = std::make_shared<Tokenizer::Pipeline>();
  pipeline->model = std::make_unique<SentencePiece>(processor, std::move(*own), std::move(ids), rules);
  pipeline->decoder = std::make_unique<SentencePieceDecoder>(processor);
  for (int id = 0; id < pieces; ++id) {
    const auto known = pipeline->model->vocabulary().find(processor->piece(id));
    if (!processor->is_control(id) || !known) continue;
    AddedToken token;
    token.id = *known;
    token.content = processor->piece(id);
    token.special = true;
    token.normalized = false;
    pipeline->add(token);
  }
  if (const int pad = processor->pad_id(); pad >= 0) pipeline->padding.id = pad;
  return pipeline;
}

}  // namespace attn::text
