#include <attn/core/error.hpp>
#include <attn/text/models/model.hpp>
#include <attn/text/models/trie.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <cmath>

namespace attn::text {

namespace {

// Penalty of an unknown character below the least probable token (sentencepiece, unigram_model.cc).
constexpr double unknown_penalty = 10;

class Unigram final : public Model {
 public:
  Unigram(Vocabulary vocabulary, std::vector<double> scores, std::optional<TokenId> unknown_id, bool byte_fallback)
      : Model(std::move(vocabulary)), scores_(std::move(scores)) {
    unknown_ = unknown_id;
    for (std::size_t id = 0; id < scores_.size(); ++id)
      if (!std::isfinite(scores_[id]))
        throw Error(ErrorKind::data,
                    "token \"" + std::string(vocabulary_.token(static_cast<TokenId>(id)).value_or("")) + "\"",
                    "has a score that is not finite");
    if (unknown_ && !vocabulary_.token(*unknown_))
      throw Error(ErrorKind::data, "unk_id",
                  std::to_string(*unknown_) + " is not one of the " + std::to_string(vocabulary_.size()) + " tokens");
    unknown_score_ = scores_.empty() ? 0 : *std::min_element(scores_.begin(), scores_.end()) - unknown_penalty;
    tokens_.reserve(8 * vocabulary_.count());
    for (std::size_t id = 0; id < vocabulary_.size(); ++id)
      if (const auto token = vocabulary_.token(static_cast<TokenId>(id)); token && !token->empty())
        tokens_.add(*token, static_cast<std::uint32_t>(id));
    if (byte_fallback) bytes_ = ByteTokens(vocabulary_);
  }

  void tokenize(std::string_view piece, std::vector<Token>& tokens) const override {
    const std::vector<Arrival> best = best_arrivals(piece);
    const std::size_t first = tokens.size();
    for (std::size_t end = piece.size(); end > 0;) {
      std::size_t begin = best[end].begin;
      const bool unknown = best[end].id == none;
      while (unknown && begin > 0 && best[begin].id == none)
        begin = best[begin].begin;  // unknown ones in a row are one
      push(piece, {begin, end}, best[end].id, tokens);
      end = begin;
    }
    std::reverse(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.end());
  }

  std::optional<TokenId> shown_as_written() const override { return unknown_; }

 private:
  static constexpr std::uint32_t none = Trie::no_value;

  // The best way to reach a place in the text: the token that ends there and where it begins.
  struct Arrival {
    double score = 0;
    std::size_t begin = 0;
    std::uint32_t id = none;
    bool reached = false;

    void offer(double candidate, std::size_t from, std::uint32_t token) {
      if (reached && candidate <= score) return;
      *this = {candidate, from, token, true};
    }
  };

  std::vector<Arrival> best_arrivals(std::string_view piece) const {
    std::vector<Arrival> best(piece.size() + 1);
    for (std::size_t begin = 0; begin < piece.size();) {
      const std::size_t length = code_point_at(piece, begin).length;
      const double score = best[begin].score;
      bool known = false;
      Trie::Node node = Trie::root;
      for (std::size_t end = begin; end < piece.size();) {
        node = tokens_.step(node, static_cast<unsigned char>(piece[end++]));
        if (node == Trie::none) break;
        const std::uint32_t id = tokens_.value(node);
        if (id == none) continue;
        best[end].offer(score + scores_[id], begin, is_unknown(id) ? none : id);
        known = known || end == begin + length;
      }
      if (!known) best[begin + length].offer(score + unknown_score_, begin, none);
      begin += length;
    }
    return best;
  }

  bool is_unknown(std::uint32_t id) const { return unknown_ && *unknown_ == static_cast<TokenId>(id); }

  // Appends the token of a span, in reverse order where it becomes several.
  void push(std::string_view piece, Span span, std::uint32_t id, std::vector<Token>& tokens) const {
    if (id != none) return tokens.push_back({static_cast<TokenId>(id), span});
    const std::string_view text = piece.substr(span.begin, span.size());
    if (const auto whole = vocabulary_.find(text)) return tokens.push_back({*whole, span});
    if (bytes_.can_spell(text)) {
      for (std::size_t i = text.size(); i-- > 0;) tokens.push_back({bytes_[text[i]], span});
      return;
    }
    if (!unknown_)
      throw Error(ErrorKind::data, "text",
                  "\"" + std::string(text) + "\" is not in the vocabulary, which has no unknown token");
    tokens.push_back({*unknown_, span});
  }

  std::vector<double> scores_;
  double unknown_score_ = 0;
  Trie tokens_;
  ByteTokens bytes_;  // where characters fall back to bytes
};

}  // namespace

ModelPtr unigram_model(Vocabulary vocabulary, std::vector<double> scores, std::optional<TokenId> unknown_id,
                       bool byte_fallback) {
  return std::make_unique<Unigram>(std::move(vocabulary), std::move(scores), unknown_id, byte_fallback);
}

}  // namespace attn::text
