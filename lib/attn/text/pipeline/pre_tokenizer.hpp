#pragma once
// Pre-tokenisers, which cut a normalised text into the pieces that the model sees one by one.

#include <attn/text/pipeline/aligned_text.hpp>
#include <attn/text/pipeline/pattern.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attn::text {

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  virtual void apply(Pieces& pieces) const = 0;
};
using PreTokenizerPtr = std::unique_ptr<const PreTokenizer>;

/// Treatment of the delimiters at which a text is cut.
enum class Split { removed, isolated, merged_with_previous, merged_with_next, contiguous };

/// Is sentencepiece's space put before a text: always, never, or only at the start of the whole text?
enum class Prepend { always, never, first };

/// seen_as: the text in which the pattern is searched, of the same length; none: the text itself.
PreTokenizerPtr split_pre_tokenizer(Pattern pattern, Split behavior, bool invert,
                                    std::function<std::string(std::string_view)> seen_as = {});
/// Cuts at code points of a class.
PreTokenizerPtr class_pre_tokenizer(std::function<bool(char32_t)> in_class, Split behavior);
PreTokenizerPtr bert_pre_tokenizer();        ///< white space removed, punctuation isolated
PreTokenizerPtr whitespace_pre_tokenizer();  ///< runs of word characters and runs of others
PreTokenizerPtr byte_level_pre_tokenizer(bool add_prefix_space, bool use_regex);
PreTokenizerPtr metaspace_pre_tokenizer(std::string replacement, Prepend prepend, bool split);
PreTokenizerPtr fixed_length_pre_tokenizer(std::size_t code_points);
/// Cuts where the script changes, with the scripts of Unicode 9 (later ones count as none). Han, Hiragana and Katakana
/// are one script, spaces belong to the run before them, and text before the first run is dropped. Code points that
/// later versions added to these scripts belong to them here, unlike in the tokenizers package.
PreTokenizerPtr unicode_scripts_pre_tokenizer();
PreTokenizerPtr pre_tokenizer_sequence(std::vector<PreTokenizerPtr> steps);

}  // namespace attn::text
