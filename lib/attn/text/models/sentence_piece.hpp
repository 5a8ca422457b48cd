#pragma once
// spiece.model and tokenizer.model: the sentencepiece library with the interface of a tokenizer.

#include <attn/text/pipeline/pipeline.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace attn::text {

/// Changes of a text by the library before it cuts the text.
enum class TextRules {
  of_model,  ///< as the model specifies
  none       ///< none: spaces are already U+2581
};

/// A vocabulary whose ids are not those of the pieces.
struct OwnVocabulary {
  Vocabulary tokens;  ///< pieces that it lacks are the unknown token, which it has
  std::string unknown = "<unk>";
  bool shows_unknown = false;   ///< the text itself is shown in place of the unknown token
  bool takes_language = false;  ///< ">>fra<<" at the start of a text is one token: Marian
};

/// The tokenizer of a serialised sentencepiece model, without special tokens around a text. Throws Error(data) for a
/// model that the library does not accept.
std::shared_ptr<Tokenizer::Pipeline> sentence_piece_pipeline(std::string_view model, const std::string& name,
                                                             TextRules rules,
                                                             std::optional<OwnVocabulary> own = std::nullopt);

}  // namespace attn::text
