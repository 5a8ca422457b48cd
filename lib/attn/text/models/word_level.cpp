#include <attn/core/error.hpp>
#include <attn/text/models/model.hpp>

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

}  // namespace

ModelPtr word_level_model(Vocabulary vocabulary, const std::string& unknown_token) {
  return std::make_unique<WordLevel>(std::move(vocabulary), unknown_token);
}

}  // namespace attn::text
