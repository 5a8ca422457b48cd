#pragma once
// Normalisers: what is done to a text before it is cut.

#include <attn/text/patterns/pattern.hpp>
#include <attn/text/pipeline/aligned_text.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void apply(AlignedText& text) const = 0;
};
using NormalizerPtr = std::unique_ptr<const Normalizer>;

/// What BERT does (Devlin et al. 2018, the published tokenization.py).
struct BertNormalization {
  bool clean_text = true;            ///< drop control characters, make every white space a space
  bool space_out_ideographs = true;  ///< a space on both sides of each CJK ideograph
  bool strip_accents = true;
  bool lowercase = true;
};

NormalizerPtr bert_normalizer(const BertNormalization& what);
NormalizerPtr form_normalizer(Form form);
NormalizerPtr lowercase_normalizer();
NormalizerPtr strip_normalizer(bool left, bool right);
NormalizerPtr strip_accents_normalizer();  ///< all marks, where they stand as code points of their own
NormalizerPtr replace_normalizer(Pattern pattern, std::string content);
NormalizerPtr prepend_normalizer(std::string prefix);  ///< in front of every text that is not empty
NormalizerPtr byte_level_normalizer();
NormalizerPtr nmt_normalizer();  ///< sentencepiece's "nmt": control characters dropped, odd spaces made spaces
/// sentencepiece's compiled rules, a double array of prefixes and the strings that replace them.
/// Throws Error(data) for a table that is damaged.
NormalizerPtr precompiled_normalizer(std::string_view table);
NormalizerPtr normalizer_sequence(std::vector<NormalizerPtr> steps);

/// GPT-2's spelling of bytes: a printable code point for each of the 256 (Radford et al. 2019, encoder.py).
char32_t spelling_of_byte(unsigned char byte) noexcept;
/// The byte behind a spelling; -1 where there is none.
int byte_of_spelling(char32_t c) noexcept;

}  // namespace attn::text
