#pragma once
// Models: from a piece of text to tokens of the vocabulary.

#include <attn/text/encoding.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::text {

/// A bijection of tokens and ids, in two flat tables with one allocation each.
class Vocabulary {
 public:
  /// Largest accepted id; a file with a larger one is damaged.
  static constexpr TokenId max_id = (TokenId{1} << 24) - 1;

  void reserve(std::size_t tokens, std::size_t bytes);
  /// Throws Error(data) for an id that is negative or too large, and for a token or an id that already exists.
  void add(std::string_view token, TokenId id);

  std::optional<TokenId> find(std::string_view token) const noexcept;
  /// The token of an id; nothing if there is none.
  std::optional<std::string_view> token(TokenId id) const noexcept;
  /// One more than the largest id.
  std::size_t size() const noexcept { return spans_.size(); }
  /// Number of tokens: less than size() if ids have gaps.
  std::size_t count() const noexcept { return count_; }

 private:
  std::size_t slot_of(std::string_view token) const noexcept;

  static constexpr std::size_t absent = static_cast<std::size_t>(-1);
  std::string bytes_;
  std::vector<Span> spans_;           // token of each id in bytes_; begin is `absent` for missing ids
  std::vector<std::uint32_t> slots_;  // open addressing: id + 1, 0 for a free slot
  std::size_t count_ = 0;
};

/// A token and its bytes in the piece.
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
  /// The same for a model to which it matters whether the piece begins the text.
  virtual void tokenize_part(std::string_view piece, bool /*is_first*/, std::vector<Token>& tokens) const {
    tokenize(piece, tokens);
  }
  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  /// Is it byte-pair encoding?
  virtual bool is_byte_pair() const noexcept { return false; }
  /// The token of text that the vocabulary lacks, if there is one.
  std::optional<TokenId> unknown() const noexcept { return unknown_; }
  /// The same, if the text itself is shown in its place.
  virtual std::optional<TokenId> shown_as_written() const { return std::nullopt; }
  /// Prefix of tokens that do not begin a word, such as ##; empty if they have none.
  const std::string& continuing_prefix() const noexcept { return continuing_prefix_; }

 protected:
  Vocabulary vocabulary_;
  std::optional<TokenId> unknown_;
  std::string continuing_prefix_;
};
using ModelPtr = std::unique_ptr<const Model>;

/// A piece is a token or unknown. Throws Error(data) if unknown_token is not in the vocabulary.
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
  std::string continuing_prefix;   ///< prefix of tokens that do not begin a word
  std::string end_of_word_suffix;  ///< suffix of tokens that end a word
  bool fuse_unknown = false;       ///< unknown characters in a row are one token
  bool byte_fallback = false;      ///< characters outside the vocabulary become bytes <0x00> ... <0xFF>
  bool ignore_merges = false;      ///< a piece that is a token is that token
};

/// Pairs of tokens in the order of the file, in flat memory.
class MergeList {
 public:
  void reserve(std::size_t merges, std::size_t bytes);
  void add(std::string_view left, std::string_view right);
  /// Adds "left right". False if the line is not two tokens separated by a space.
  bool add_line(std::string_view line);

  std::size_t size() const noexcept { return ends_.size() / 2; }
  std::pair<std::string_view, std::string_view> operator[](std::size_t rank) const noexcept;

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;  // end of each token in bytes_, left and right alternating
};

/// Byte-pair encoding (Sennrich et al. 2016): joins the adjacent pair that comes first in the merges, the leftmost of
/// equals, until no pair is in the merges. Throws Error(data) that names a merge whose parts or result are not in the
/// vocabulary.
ModelPtr bpe_model(Vocabulary vocabulary, const MergeList& merges, const BpeOptions& options);

/// The most probable segmentation under a unigram language model (Kudo 2018), found by Viterbi's algorithm.
/// scores: log-probability of each id. Throws Error(data) if scores are not finite or unknown_id is out of range.
ModelPtr unigram_model(Vocabulary vocabulary, std::vector<double> scores, std::optional<TokenId> unknown_id,
                       bool byte_fallback);

// Byte fallback: tokens <0x00> ... <0xFF> for the bytes of characters that a vocabulary lacks.

/// The byte tokens of a vocabulary. A text uses them if there is one for each of its bytes.
class ByteTokens {
 public:
  ByteTokens() { ids_.fill(none); }
  explicit ByteTokens(const Vocabulary& vocabulary);

  bool can_spell(std::string_view text) const noexcept;
  TokenId operator[](char byte) const noexcept { return ids_[static_cast<unsigned char>(byte)]; }

 private:
  static constexpr TokenId none = -1;
  std::array<TokenId, 256> ids_;
};

/// The byte of a token: <0x41> is A.
std::optional<unsigned char> byte_of_token(std::string_view token) noexcept;

}  // namespace attn::text
