#pragma once
// spiece.model and tokenizer.model: sentencepiece's own library behind the tokenizer's interface.

#include <attn/text/pipeline/pipeline.hpp>

#include <string>
#include <string_view>

namespace attn::text {

/// What the library does to a text before it cuts it.
enum class TextRules {
  of_model,  ///< what its model says
  none       ///< nothing: spaces are U+2581 already
};

/// The tokenizer of a serialised sentencepiece model, with nothing around a text. Throws Error(data) for one that the
/// library does not accept.
std::shared_ptr<Tokenizer::Pipeline> sentence_piece_pipeline(std::string_view model, const std::string& name,
                                                             TextRules rules);

}  // namespace attn::text
