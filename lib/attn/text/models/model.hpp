#pragma once
// Models: from a piece of text to tokens of the vocabulary.

#include <attn/text/encoding.hpp>
#include <attn/text/models/vocabulary.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::text {

/// A token and the bytes of the piece that it stands for.
struct Token {
  TokenId id;
  Span span;
};

class Model {
 public:
  explicit Model(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  virtual ~Model() = default;

  /// Appends the tokens of a piece.
  virtual void tokenize(std::string_view piece, std::vector<Token>& tokens) const = 0;
  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  /// Whether it joins pairs of tokens, byte-pair encoding.
  virtual bool is_byte_pair() const noexcept { return false; }
  /// The unknown token, where what it stands for is shown in its place.
  virtual std::optional<TokenId> shown_as_written() const { return std::nullopt; }

 protected:
  Vocabulary vocabulary_;
};
using ModelPtr = std::unique_ptr<const Model>;

/// A piece is a token or it is unknown. Throws Error(data) where unknown_token is not in the vocabulary.
ModelPtr word_level_model(Vocabulary vocabulary, const std::string& unknown_token);

struct WordPieceOptions {
  std::string unknown_token = "[UNK]";
  std::string continuing_prefix = "##";
  std::size_t max_characters = 100;  ///< a longer word is unknown
};

/// The longest token that begins a word, then the longest that continues it; a word with a rest that no token
/// continues is unknown as a whole (Schuster and Nakajima 2012; Devlin et al. 2018).
ModelPtr word_piece_model(Vocabulary vocabulary, const WordPieceOptions& options);

struct BpeOptions {
  std::optional<std::string> unknown_token;
  std::string continuing_prefix;   ///< of tokens that do not begin a word
  std::string end_of_word_suffix;  ///< of tokens that end one
  bool fuse_unknown = false;       ///< unknown characters in a row are one token
  bool byte_fallback = false;      ///< characters that are not in the vocabulary become bytes <0x00> ... <0xFF>
  bool ignore_merges = false;      ///< a piece that is a token is that token
};

/// Pairs of tokens in the order of the file, in flat memory.
class MergeList {
 public:
  void reserve(std::size_t merges, std::size_t bytes);
  void add(std::string_view left, std::string_view right);
  /// "left right". False where the line is not two tokens with a space between.
  bool add_line(std::string_view line);

  std::size_t size() const noexcept { return ends_.size() / 2; }
  std::pair<std::string_view, std::string_view> operator[](std::size_t rank) const noexcept;

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;  // where each token ends in bytes_, left and right by turns
};

/// Byte-pair encoding (Sennrich et al. 2016): of all adjacent pairs the one that stands first among the merges is
/// joined, the leftmost of equals, until no pair is among them. Throws Error(data) naming a merge whose parts or whose
/// result are not in the vocabulary.
ModelPtr bpe_model(Vocabulary vocabulary, const MergeList& merges, const BpeOptions& options);

/// The most probable segmentation under a unigram language model (Kudo 2018), found by Viterbi's algorithm.
/// scores: log-probability of each id. Throws Error(data) where scores are not finite or unknown_id is outside.
ModelPtr unigram_model(Vocabulary vocabulary, std::vector<double> scores, std::optional<TokenId> unknown_id,
                       bool byte_fallback);

}  // namespace attn::text
