#include <attn/core/error.hpp>
#include <attn/text/byte_tokens.hpp>
#include <attn/text/piece_processor.hpp>
#include <attn/text/sentence_piece.hpp>

#include <algorithm>
#include <new>

namespace attn::text {

namespace {

using Processor = std::shared_ptr<const PieceProcessor>;

class SentencePiece final : public Model {
 public:
  SentencePiece(Processor processor, Vocabulary vocabulary)
      : Model(std::move(vocabulary)), processor_(std::move(processor)) {}

  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override {
    const auto take = [](void* to, int id, std::size_t begin, std::size_t end) {
      static_cast<std::vector<Token>*>(to)->push_back({static_cast<TokenId>(id), {begin, end}});
    };
    const std::size_t before = tokens.size();
    if (!processor_->encode(piece, take, &tokens)) throw std::bad_alloc();
    // Of the bytes of a character the library gives the last one all of it, the others nothing.
    for (std::size_t i = tokens.size(); i-- > before + 1;) {
      Span& span = tokens[i - 1].span;
      if (span.size() == 0 && tokens[i].span.begin == span.begin && is_byte(tokens[i - 1].id) && is_byte(tokens[i].id))
        span = tokens[i].span;
    }
  }

 private:
  bool is_byte(TokenId id) const { return byte_of_token(vocabulary_.token(id).value_or("")).has_value(); }

  Processor processor_;
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
                                                             TextRules rules) {
  Processor processor = load_pieces(model, name);
  // Only now, as the end of a model that is cut off might go on with the rules.
  if (rules == TextRules::none) processor = load_pieces(std::string(model).append(without_rules), name);
  const int pieces = processor->size();
  Vocabulary vocabulary;
  vocabulary.reserve(static_cast<std::size_t>(pieces), 8 * static_cast<std::size_t>(pieces));
  for (int id = 0; id < pieces; ++id) vocabulary.add(std::string(processor->piece(id)), id);
  auto pipeline = std::make_shared<Tokenizer::Pipeline>();
  pipeline->model = std::make_unique<SentencePiece>(processor, std::move(vocabulary));
  pipeline->decoder = std::make_unique<SentencePieceDecoder>(processor);
  for (int id = 0; id < pieces; ++id) {
    if (!processor->is_control(id)) continue;
    AddedToken token;
    token.id = id;
    token.content = processor->piece(id);
    token.special = true;
    token.normalized = false;
    pipeline->add(token);
  }
  if (const int pad = processor->pad_id(); pad >= 0) pipeline->padding.id = pad;
  return pipeline;
}

}  // namespace attn::text
