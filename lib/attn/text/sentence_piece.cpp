#include <attn/core/error.hpp>
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
    if (!processor_->encode(piece, take, &tokens)) throw std::bad_alloc();
  }

 private:
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

}  // namespace

std::shared_ptr<Tokenizer::Pipeline> sentence_piece_pipeline(std::string_view model, const std::string& name) {
  const Processor processor = load_pieces(model, name);
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
