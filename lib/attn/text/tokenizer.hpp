#pragma once
// Text to token ids and back, as the tokenizer files that stand beside published models say.

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
/// Immutable; any number of threads may use one at the same time. Copies share the tables.
class Tokenizer {
 public:
  struct Pipeline;  ///< the parts, see pipeline.hpp
  explicit Tokenizer(std::shared_ptr<const Pipeline> pipeline);

  /// The ids of a text. Throws Error(data) with the byte position where the text is not UTF-8.
  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
  /// The ids of two texts that the model reads together. Throws Error(data) where the tokenizer has no way to join
  /// them.
  Encoding encode(std::string_view first, std::string_view second, const EncodeOptions& options = {}) const;

  /// The text of the ids; special tokens are left out unless asked for. Bytes that do not form UTF-8 become U+FFFD.
  /// Throws Error(data) naming the id that is outside the vocabulary.
  std::string decode(const std::vector<TokenId>& ids, bool skip_special_tokens = true) const;

  /// The token itself as the vocabulary spells it; throws Error(data) for an id outside of it.
  std::string token(TokenId id) const;
  /// The tokens of a text as it has them: unknown ones of Unigram, and white space that belongs to added ones, as it
  /// is written.
  std::vector<std::string> tokens(const Encoding& encoding) const;
  std::optional<TokenId> find(std::string_view token) const;
  bool is_special(TokenId id) const;
  /// All ids that have a token, ascending.
  std::vector<TokenId> ids() const;
  /// One more than the largest id: an embedding needs at least so many rows.
  std::size_t vocabulary_size() const;

  /// What the files say about lengths; encode() follows its options alone.
  const TruncationOptions& truncation() const;
  const PaddingOptions& padding() const;
  /// How many special tokens encode() adds to a text, or to a pair.
  std::size_t added_per_text(bool pair = false) const;

 private:
  std::shared_ptr<const Pipeline> pipeline_;
};

/// The tokenizer of a tokenizer.json, given as its text. `name` stands in error messages.
/// Throws Error(data) naming the part that is damaged or not known.
Tokenizer tokenizer_from_json(std::string_view json, const std::string& name = "tokenizer.json");

/// The content of a file of a model's folder, or nothing when it has none of that name.
using ReadFile = std::function<std::optional<std::string>(const std::string& name)>;

/// The tokenizer of a model's folder: tokenizer.json, else spiece.model, else tokenizer.model, else vocab.json with
/// merges.txt, else vocab.txt; tokenizer_config.json and config.json where these leave something open. `folder` stands
/// in messages. Throws Error(input) when there is none of these files.
Tokenizer load_tokenizer(const ReadFile& read, const std::string& folder);

/// The offsets of an encoding in code points instead of bytes, which is what Python slices by; each is counted in the
/// text that it belongs to. Empty where the encoding has none.
std::vector<Span> in_code_points(const Encoding& encoding, std::string_view first, std::string_view second = {});

}  // namespace text
}  // namespace attn
