#pragma once
// spiece.model and tokenizer.model: the sentencepiece library with the interface of a tokenizer.

#include <attn/text/pipeline/pipeline.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace attn::text {

/// The space that the library puts before each text that it cuts, if the model says so.
struct PieceSpaces {
  enum class Before { each_part, first_part, no_part } before = Before::each_part;  ///< of a text, between added tokens
  bool in_offsets = false;                                                          ///< the space is part of a word
};

/// A vocabulary whose ids are not those of the pieces.
struct OwnVocabulary {
  Vocabulary tokens;  ///< pieces that it lacks are the unknown token, which it has
  std::string unknown = "<unk>";
  bool shows_unknown = false;  ///< the text itself is shown in place of the unknown token
  /// Marian: ">>fra<<" at the start of a text is one token, and so is text that is no piece but in this vocabulary.
  bool is_of_marian = false;
};

/// Does the library put a space before texts?
bool begins_with_space(std::string_view model, const std::string& name);

/// The tokenizer of a serialised sentencepiece model, without special tokens around a text. Throws Error(data) for a
/// model that the library does not accept.
std::shared_ptr<Tokenizer::Pipeline> sentence_piece_pipeline(std::string_view model, const std::string& name,
                                                             std::optional<OwnVocabulary> own = std::nullopt,
                                                             PieceSpaces spaces = {});

}  // namespace attn::text
