#pragma once
// Normalisers, which change a text before it is cut.

#include <attn/text/pipeline/aligned_text.hpp>
#include <attn/text/pipeline/pattern.hpp>

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

/// Normalisation of BERT (Devlin et al. 2018, the published tokenization.py).
struct BertNormalization {
  bool clean_text = true;            ///< drop control characters, turn all white space into spaces
  bool space_out_ideographs = true;  ///< a space on both sides of each CJK ideograph
  bool strip_accents = true;
  bool lowercase = true;
};

NormalizerPtr bert_normalizer(const BertNormalization& what);
NormalizerPtr form_normalizer(Form form);
NormalizerPtr lowercase_normalizer();
NormalizerPtr strip_normalizer(bool left, bool right);
NormalizerPtr strip_accents_normalizer();  ///< all marks that are separate code points
NormalizerPtr replace_normalizer(Pattern pattern, std::string content);
NormalizerPtr prepend_normalizer(std::string prefix);  ///< before every text that is not empty
NormalizerPtr byte_level_normalizer();
NormalizerPtr nmt_normalizer();  ///< sentencepiece's "nmt": drops control characters, turns unusual spaces into spaces
/// sentencepiece's compiled rules, a double array of prefixes and the strings that replace them.
/// Throws Error(data) for a damaged table.
NormalizerPtr precompiled_normalizer(std::string_view table);
NormalizerPtr normalizer_sequence(std::vector<NormalizerPtr> steps);

/// GPT-2's spelling of bytes: a printable code point for each of the 256 (Radford et al. 2019, encoder.py).
char32_t spelling_of_byte(unsigned char byte) noexcept;
/// The byte of a spelling; -1 if there is none.
int byte_of_spelling(char32_t c) noexcept;

}  // namespace attn::text
