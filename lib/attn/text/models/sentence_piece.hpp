#pragma once
// spiece.model and tokenizer.model: the sentencepiece library with the interface of a tokenizer.

#include <attn/text/pipeline/pipeline.hpp>

#include <string>
#include <string_view>

namespace attn::text {

/// Changes of a text by the library before it cuts the text.
enum class TextRules {
  of_model,  ///< as the model specifies
  none       ///< none: spaces are already U+2581
};

/// The tokenizer of a serialised sentencepiece model, without special tokens around a text. Throws Error(data) for a
/// model that the library does not accept.
std::shared_ptr<Tokenizer::Pipeline> sentence_piece_pipeline(std::string_view model, const std::string& name,
                                                             TextRules rules);

}  // namespace attn::text
