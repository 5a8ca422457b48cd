#pragma once
// spiece.model: sentencepiece's own library behind the tokenizer's interface.

#include <attn/text/pipeline.hpp>

#include <string>
#include <string_view>

namespace attn::text {

/// What stands around the pieces of a text, by the model's family.
enum class SentencePieceFamily {
  automatic,  ///< xlnet where the vocabulary has <sep> and <cls>, albert where it has [CLS] and [SEP], else t5
  t5,         ///< A </s>; also Marian, Pegasus
  xlnet,      ///< A <sep> <cls>, padded on the left
  albert,     ///< [CLS] A [SEP]
  llama       ///< <s> A
};

/// The tokenizer of a serialised sentencepiece model. Throws Error(data) for one that the library does not accept.
std::shared_ptr<Tokenizer::Pipeline> sentence_piece_pipeline(std::string_view model, const std::string& name,
                                                             SentencePieceFamily family);

}  // namespace attn::text
