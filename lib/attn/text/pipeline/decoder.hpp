#pragma once
// Decoders: from tokens back to text.

#include <attn/text/pipeline/pattern.hpp>
#include <attn/text/pipeline/pre_tokenizer.hpp>

#include <memory>
#include <string>
#include <vector>

namespace attn::text {

class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Rewrites the tokens; the text is their concatenation.
  virtual void apply(std::vector<std::string>& tokens) const = 0;
};
using DecoderPtr = std::unique_ptr<const Decoder>;

DecoderPtr word_piece_decoder(std::string prefix, bool cleanup);
DecoderPtr byte_level_decoder();
DecoderPtr byte_fallback_decoder();  ///< runs of <0x00> ... <0xFF> become the text of their bytes
DecoderPtr metaspace_decoder(std::string replacement, Prepend prepend);
DecoderPtr bpe_decoder(std::string suffix);
DecoderPtr ctc_decoder(std::string pad_token, std::string word_delimiter, bool cleanup);
DecoderPtr replace_decoder(Pattern pattern, std::string content);
DecoderPtr strip_decoder(char32_t what, std::size_t left, std::size_t right);
DecoderPtr fuse_decoder();   ///< all tokens become one
DecoderPtr space_decoder();  ///< a space between tokens; used if a file names no decoder
DecoderPtr decoder_sequence(std::vector<DecoderPtr> steps);

/// Removes spaces from English that was joined from tokens: "it 's ." becomes "it's.". do_not: " do not" becomes "
/// don't" too, as in the tokenizers package but not in transformers.
std::string join_contractions(std::string text, bool do_not);

}  // namespace attn::text
