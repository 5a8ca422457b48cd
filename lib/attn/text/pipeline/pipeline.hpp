#pragma once
// The parts that a tokenizer is made of: what the readers of tokenizer files fill in.

#include <attn/text/files/document.hpp>
#include <attn/text/models/model.hpp>
#include <attn/text/pipeline/added_tokens.hpp>
#include <attn/text/pipeline/decoder.hpp>
#include <attn/text/pipeline/normalizer.hpp>
#include <attn/text/pipeline/post_processor.hpp>
#include <attn/text/pipeline/pre_tokenizer.hpp>
#include <attn/text/tokenizer.hpp>

#include <map>
#include <set>

namespace attn::text {

struct Tokenizer::Pipeline {
  NormalizerPtr normalizer;       ///< none: texts stay as they are
  PreTokenizerPtr pre_tokenizer;  ///< none: a text is one piece
  ModelPtr model;
  PostProcessor post_processor;
  DecoderPtr decoder = space_decoder();
  bool cleans_up = false;  ///< the decoded text, see join_contractions()
  TruncationOptions truncation;
  PaddingOptions padding;

  std::map<TokenId, AddedToken> added;       ///< also of ids that the model has no token for
  std::map<std::string, TokenId> added_ids;  ///< by content
  std::set<std::string> special_texts;       ///< contents of special tokens
  AddedTokenFinder in_text, in_normalized;

  /// Adds a token; to be called when the normaliser is there. Throws Error(data) where the id is another token's.
  void add(const AddedToken& token);
  /// Throws Error(data) naming the token where neither the model nor the added tokens have it.
  TokenId id_of(const std::string& token) const;
  /// The token of an id as decoded text has it, an added one normalised; nothing where there is none.
  std::optional<std::string_view> token(TokenId id) const;
  /// The same as the tokens of an encoding have it, an added one by its content.
  std::optional<std::string_view> spelling(TokenId id) const;
  /// Whether texts are decoded without a token. The text of a special one that is normalised is not its content, and
  /// stays, as in the tokenizers package.
  bool is_left_out(TokenId id) const;
  /// One more than the largest id.
  std::size_t vocabulary_size() const;
};

/// The parts that a tokenizer.json names, once it is edited; see tokenizer_from_json().
std::shared_ptr<Tokenizer::Pipeline> pipeline_from_json(std::string_view json, const std::string& name,
                                                        const EditComponents& edit = {});

}  // namespace attn::text
