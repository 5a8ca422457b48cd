#pragma once
// The parts of a tokenizer, filled in by the readers of tokenizer files.

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
  NormalizerPtr normalizer;       ///< none: texts are unchanged
  PreTokenizerPtr pre_tokenizer;  ///< none: a text is one piece
  ModelPtr model;
  PostProcessor post_processor;
  DecoderPtr decoder = space_decoder();
  bool cleans_up = false;  ///< clean the decoded text, see join_contractions()
  TruncationOptions truncation;
  PaddingOptions padding;

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
