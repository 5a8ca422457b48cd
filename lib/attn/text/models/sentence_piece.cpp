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
  /// ids: of the pieces in the vocabulary. inner: the same model, which puts no space before a text.
  SentencePiece(Processor processor, Processor inner, OwnVocabulary own, std::vector<TokenId> ids, PieceSpaces spaces)
      : Model(std::move(own.tokens)),
        processor_(std::move(processor)),
        inner_(std::move(inner)),
        ids_(std::move(ids)),
        shows_unknown_(own.shows_unknown),
        is_of_marian_(own.is_of_marian),
        spaces_(spaces) {
    unknown_ = vocabulary_.find(own.unknown);
  }

  std::optional<TokenId> shown_as_written() const override { return shows_unknown_ ? unknown_ : std::nullopt; }

  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override {
    tokenize_part(piece, true, tokens);
  }

  void tokenize_part(std::string_view piece, bool is_first, std::vector<Token>& tokens) const override {
    using Before = PieceSpaces::Before;
    const bool has_space = spaces_.before == Before::each_part || (spaces_.before == Before::first_part && is_first);
    const PieceProcessor& processor = has_space ? *processor_ : *inner_;
    const std::size_t language = is_of_marian_ ? language_end(piece) : 0;
    if (language == 0) return tokenize_words(processor, piece, tokens);
    tokens.push_back({vocabulary_.find(piece.substr(0, language)).value_or(*unknown_), {0, language}});
    const std::size_t before = tokens.size();
    tokenize_words(processor, piece.substr(language), tokens);
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

  void tokenize_words(const PieceProcessor& processor, std::string_view piece, std::vector<Token>& tokens) const {
    struct Taken {
      const SentencePiece& model;
      std::vector<Token>& tokens;
    } taken{*this, tokens};
    const auto take = [](void* to, int id, std::string_view text, std::size_t begin, std::size_t end) {
      const auto& [model, all] = *static_cast<Taken*>(to);
      const bool is_looked_up = model.is_of_marian_ && model.processor_->is_unknown(id);
      const TokenId known = model.ids_[static_cast<std::size_t>(id)];
      all.push_back({is_looked_up ? model.vocabulary_.find(text).value_or(known) : known, {begin, end}});
    };
    const std::size_t before = tokens.size();
    if (!processor.encode(piece, take, &taken)) throw std::bad_alloc();
    for (std::size_t i = before; i < tokens.size(); ++i) {
      if (!spaces_.in_offsets) leave_space_out(piece, tokens, i);
      // The space before the text has its first character.
      if (Span& span = tokens[i].span; spaces_.in_offsets && span.size() == 0 && token(tokens[i].id) == space)
        span.end = span.begin + code_point_at(piece, span.begin).length;
    }
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

  Processor processor_, inner_;
  std::vector<TokenId> ids_;
  bool shows_unknown_, is_of_marian_;
  PieceSpaces spaces_;
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

/// The model with another normalizer_spec (3) { add_dummy_prefix (3): false }, which is merged with its own. A model
/// that is cut off, whose end might go on with it, is found by loading it first.
Processor without_space(std::string_view model, const std::string& name) {
  return load_pieces(std::string(model).append("\x1a\x02\x18\x00", 4), name);
}

/// The ids of a text.
std::vector<int> pieces_of(const PieceProcessor& processor, std::string_view text) {
  std::vector<int> ids;
  const auto take = [](void* to, int id, std::string_view, std::size_t, std::size_t) {
    static_cast<std::vector<int>*>(to)->push_back(id);
  };
  if (!processor.encode(text, take, &ids)) throw std::bad_alloc();
  return ids;
}

}  // namespace

bool begins_with_space(std::string_view model, const std::string& name) {
  const Processor own = load_pieces(model, name);
  return pieces_of(*own, "a") != pieces_of(*without_space(model, name), "a");
}

std::shared_ptr<Tokenizer::Pipeline> sentence_piece_pipeline(std::string_view model, const std::string& name,
                                                             std::optional<OwnVocabulary> own, PieceSpaces spaces) {
  const Processor processor = load_pieces(model, name);
  const Processor inner = spaces.before == PieceSpaces::Before::each_part ? processor : without_space(model, name);
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
  pipeline->model = std::make_unique<SentencePiece>(processor, inner, std::move(*own), std::move(ids), spaces);
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
