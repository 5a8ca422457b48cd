#pragma once
// The parts of a tokenizer, filled in by the readers of tokenizer files: added tokens, post-processors, and all
// together.

#include <attn/text/encoding.hpp>
#include <attn/text/files/document.hpp>
#include <attn/text/models/model.hpp>
#include <attn/text/models/trie.hpp>
#include <attn/text/pipeline/decoder.hpp>
#include <attn/text/pipeline/normalizer.hpp>
#include <attn/text/pipeline/pre_tokenizer.hpp>
#include <attn/text/tokenizer.hpp>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::text {

/// A token that is found in the text before anything else and is never cut.
struct AddedToken {
  TokenId id = 0;
  std::string content;
  std::string text;          ///< its form in decoded text; Pipeline::add() sets it
  bool special = false;      ///< omitted by decode()
  bool single_word = false;  ///< only if no word character is next to it
  bool left_strip = false;   ///< includes the white space before it
  bool right_strip = false;  ///< and after it
  bool normalized = true;    ///< searched in the normalised text
};

/// Finds added tokens in a text: the leftmost first, the longest if several begin there.
class AddedTokenFinder {
 public:
  void add(std::string_view pattern, const AddedToken& token);
  bool empty() const noexcept { return tokens_.empty(); }

  /// Calls found(token, where) from left to right. Contents do not overlap; white space that a token includes may also
  /// belong to the next one, as in the tokenizers package.
  void each(std::string_view text, const std::function<void(const AddedToken& token, Span where)>& found) const;

 private:
  Trie patterns_;
  std::vector<AddedToken> tokens_;
};

// Post-processors, which add the special tokens that a model expects around one text or two.

/// One part of a template: one of the texts, or added ids.
struct TemplatePart {
  Origin what = Origin::added;
  std::vector<TokenId> ids;  ///< added ids, with the type of `what`; empty: the text itself
  TokenId type_id = 0;
};

/// Offsets exclude the spaces at the ends of byte-level tokens.
struct OffsetTrim {
  /// The tokenizer added a single space at the start of the text, which has no offset to exclude.
  bool prefix_space = false;
};

/// Templates for one text and for two. If the template for two is empty, texts cannot be joined.
struct PostProcessor {
  std::vector<TemplatePart> single{{Origin::first, {}, 0}};
  std::vector<TemplatePart> pair{{Origin::first, {}, 0}, {Origin::second, {}, 1}};
  std::vector<OffsetTrim> trims;  ///< applied in sequence

  std::size_t added(bool is_pair) const;
  /// The tokens of the texts in their places, with added ids if the options ask for them. `second` is null for one
  /// text.
  Encoding apply(const Encoding& first, const Encoding* second, const EncodeOptions& options) const;
};

/// The tokens that stay of a text of `first` tokens, and of a second one, where there is room for `room`. Throws
/// Error(data) if the strategy cannot make enough room.
std::pair<std::size_t, std::size_t> kept_lengths(std::size_t first, std::optional<std::size_t> second, std::size_t room,
                                                 const TruncationOptions& options);

/// `keep` of the tokens, without those at `side`; with an overlap all of them, in parts that share so many. Throws
/// Error(data) for parts that would share all.
std::vector<Encoding> parts_of(Encoding tokens, std::size_t keep, Side side, std::optional<std::size_t> overlap);

struct Tokenizer::Pipeline {
  NormalizerPtr normalizer;       ///< none: texts are unchanged
  PreTokenizerPtr pre_tokenizer;  ///< none: a text is one piece
  ModelPtr model;
  PostProcessor post_processor;
  DecoderPtr decoder = space_decoder();
  bool cleans_up = false;  ///< clean the decoded text, see join_contractions()
  TruncationOptions truncation;
  PaddingOptions padding;
  std::vector<std::string> notes;
  std::string mask;  ///< content of the mask token; empty: the folder does not name it

  std::map<TokenId, AddedToken> added;       ///< also for ids without a token in the model
  std::map<std::string, TokenId> added_ids;  ///< by content
  std::set<std::string> special_texts;       ///< contents of special tokens
  AddedTokenFinder in_text, in_normalized;

  /// Adds a token, after the normaliser is set. Throws Error(data) if another token has the id.
  void add(const AddedToken& token);
  /// Throws Error(data) that names a token that neither the model nor the added tokens contain.
  TokenId id_of(const std::string& token) const;
  /// The token of an id as in decoded text, an added one normalised; nothing if there is none.
  std::optional<std::string_view> token(TokenId id) const;
  /// The same as in the tokens of an encoding, an added one by its content.
  std::optional<std::string_view> spelling(TokenId id) const;
  /// Does decoding omit this token? A special token whose text is normalised differs from its content and is kept, as
  /// in the tokenizers package.
  bool is_left_out(TokenId id) const;
  /// One more than the largest id.
  std::size_t vocabulary_size() const;
};

/// The parts of a tokenizer.json after it is edited; see tokenizer_from_json().
std::shared_ptr<Tokenizer::Pipeline> pipeline_from_json(std::string_view json, const std::string& name,
                                                        const EditComponents& edit = {});

}  // namespace attn::text
