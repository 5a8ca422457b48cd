#pragma once
// Text to token ids and back, with the tokenizer files of published models.

#include <attn/text/encoding.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {
namespace text {

/// A tokenizer: added tokens, normaliser, pre-tokeniser, model, post-processor, decoder, in this order.
///
/// Immutable; any number of threads may use one concurrently. Copies share the tables.
class Tokenizer {
 public:
  struct Pipeline;  ///< the parts, see pipeline.hpp
  explicit Tokenizer(std::shared_ptr<const Pipeline> pipeline);

  /// The ids of a text. Throws Error(data) that gives the byte position if the text is not UTF-8.
  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
  /// The ids of two texts as a pair. Throws Error(data) if the tokenizer cannot join them.
  Encoding encode(std::string_view first, std::string_view second, const EncodeOptions& options = {}) const;

  /// All of a text or a pair in windows of at most options.truncation.max_length tokens, in the order of the tokenizers
  /// package; the first one has the tokens of encode(). Windows of a text share `overlap` of its tokens. Throws
  /// Error(data) if they would share all.
  std::vector<Encoding> windows(std::string_view first, const std::optional<std::string_view>& second,
                                std::size_t overlap, const EncodeOptions& options) const;

  /// Which tokens of a text, with offsets, go on within a word, as pipelines of transformers see it: by the prefix of
  /// such tokens, or without one those that neither begin with a space nor follow one. Unknown tokens are words.
  std::vector<bool> continuations(const Encoding& encoding, std::string_view text) const;

  /// The text of the ids; special tokens are omitted unless requested. Bytes that are not UTF-8 become U+FFFD. Throws
  /// Error(data) that names an id outside the vocabulary.
  std::string decode(const std::vector<TokenId>& ids, bool skip_special_tokens = true) const;

  /// The token as spelled in the vocabulary; throws Error(data) for an id outside it.
  std::string token(TokenId id) const;
  /// The tokens of a text; unknown ones of Unigram, and white space of added ones, as in the text.
  std::vector<std::string> tokens(const Encoding& encoding) const;
  std::optional<TokenId> find(std::string_view token) const;
  bool is_special(TokenId id) const;
  /// Is there a token with the id? Vocabularies may have gaps.
  bool has(TokenId id) const;
  /// The token with the role "mask_token" in the files, else [MASK] or <mask>. Throws Error(data) if the vocabulary
  /// lacks it.
  TokenId mask_token() const;
  /// All ids that have a token, ascending.
  std::vector<TokenId> ids() const;
  /// One more than the largest id: an embedding needs at least this many rows.
  std::size_t vocabulary_size() const;

  /// Truncation set in the files; encode() follows only its options.
  const TruncationOptions& truncation() const;
  const PaddingOptions& padding() const;
  /// Settings in which the files disagree, with the file that counts.
  const std::vector<std::string>& notes() const;

 private:
  std::shared_ptr<const Pipeline> pipeline_;
};

/// The tokenizer of the text of a tokenizer.json. `name` is for error messages. Throws Error(data) that names a damaged
/// or unknown part.
Tokenizer tokenizer_from_json(std::string_view json, const std::string& name = "tokenizer.json");

/// The content of a file of a model's folder, or nothing if there is no such file.
using ReadFile = std::function<std::optional<std::string>(const std::string& name)>;

/// The tokenizer of a model's folder: tokenizer.json, else spiece.model, else tokenizer.model, else
/// sentencepiece.bpe.model, else source.spm with vocab.json, else vocab.json with merges.txt, else
/// vocab.txt; tokenizer_config.json and config.json add settings. `folder` is for messages. Throws
/// Error(input) if there is none of these files.
Tokenizer load_tokenizer(const ReadFile& read, const std::string& folder);

/// The tokenizer of the texts that a model of the folder answers, if it is another one: for a Marian, target.spm with
/// vocab.json. Throws Error(input) if these are missing.
std::optional<Tokenizer> load_answer_tokenizer(const ReadFile& read, const std::string& folder);

/// The offsets of an encoding in code points instead of bytes, as Python slices; each counts in its own text. Empty if
/// the encoding has none.
std::vector<Span> in_code_points(const Encoding& encoding, std::string_view first, std::string_view second = {});

}  // namespace text
}  // namespace attn
