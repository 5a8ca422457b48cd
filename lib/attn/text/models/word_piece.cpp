#include <attn/core/error.hpp>
#include <attn/text/models/model.hpp>
#include <attn/text/models/trie.hpp>
#include <attn/text/unicode.hpp>

namespace attn::text {
namespace {

class WordLevel final : public Model {
 public:
  WordLevel(Vocabulary vocabulary, const std::string& unknown_token) : Model(std::move(vocabulary)) {
    unknown_ = vocabulary_.find(unknown_token);
    if (!unknown_) throw Error(ErrorKind::data, "unk_token", "\"" + unknown_token + "\" is not in the vocabulary");
  }

  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override {
    tokens.push_back({vocabulary_.find(piece).value_or(*unknown_), {0, piece.size()}});
  }
};

class WordPiece final : public Model {
 public:
  WordPiece(Vocabulary vocabulary, const WordPieceOptions& options)
      : Model(std::move(vocabulary)), max_characters_(options.max_characters) {
    unknown_ = vocabulary_.find(options.unknown_token);
    if (!unknown_)
      throw Error(ErrorKind::data, "unk_token", "\"" + options.unknown_token + "\" is not in the vocabulary");
    tokens_.reserve(6 * vocabulary_.count());
    for (std::size_t id = 0; id < vocabulary_.size(); ++id)
      if (const auto token = vocabulary_.token(static_cast<TokenId>(id)))
        tokens_.add(*token, static_cast<std::uint32_t>(id));
    continuing_prefix_ = options.continuing_prefix;
    continuing_ = tokens_.walk(continuing_prefix_);
  }

  void tokenize(std::string_view word, std::vector<Token>& tokens) const override {
    const std::size_t before = tokens.size();
    const auto unknown = [&] {
      tokens.resize(before);
      tokens.push_back({*unknown_, {0, word.size()}});
    };
    if (word.size() > max_characters_ && count_code_points(word) > max_characters_) return unknown();
    for (std::size_t begin = 0; begin < word.size();) {
      // One walk finds all tokens that begin here; the last one seen is the longest.
      Trie::Node node = begin == 0 ? Trie::root : continuing_;
      std::uint32_t id = Trie::no_value;
      std::size_t end = begin;
      for (std::size_t i = begin; i < word.size() && node != Trie::none; ++i) {
        node = tokens_.step(node, static_cast<unsigned char>(word[i]));
        if (node != Trie::none && tokens_.value(node) != Trie::no_value) {
          id = tokens_.value(node);
          end = i + 1;
        }
      }
      if (id == Trie::no_value) return unknown();
      tokens.push_back({static_cast<TokenId>(id), {begin, end}});
      begin = end;
    }
  }

 private:
  std::size_t max_characters_;
  Trie tokens_;
  Trie::Node continuing_ = Trie::none;  // end of the continuing prefix: tokens that continue a word are below it
};

}  // namespace

ModelPtr word_level_model(Vocabulary vocabulary, const std::string& unknown_token) {
  return std::make_unique<WordLevel>(std::move(vocabulary), unknown_token);
}

ModelPtr word_piece_model(Vocabulary vocabulary, const WordPieceOptions& options) {
  return std::make_unique<WordPiece>(std::move(vocabulary), options);
}

}  // namespace attn::text
