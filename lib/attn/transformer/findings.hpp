#pragma once
// What logits say about a text: labels, entities, answers, filled masks, with probabilities.

#include <attn/text/tokenizer.hpp>
#include <attn/transformer/description.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace attn {

/// One thing said about a line.
struct Finding {
  std::string text;   ///< label, answer, choice or token; the words that carry a label
  std::string label;  ///< of Task::label_tokens
  double probability = 0;
  text::Span place;      ///< of Task::label_tokens and Task::answer: code points of the text
  std::size_t mask = 0;  ///< of Task::fill_mask: which of the line's masks
};

/// One line on its way through a model: its tokens, and where they came from.
struct Line {
  std::size_t index;          ///< among the lines that were given
  std::string first, second;  ///< the second text of a pair: what an answer is looked for in, a choice
  text::Encoding encoding;
};

/// The elements of a tensor.
std::vector<double> numbers(const TensorView& x);

/// logits (labels): the labels, the most probable first.
std::vector<Finding> classify(const TensorView& logits, const HeadDescription& head, std::size_t best);

/// logits, one for each of the texts: these with softmax(logits), the most probable first.
std::vector<Finding> choose(const std::vector<double>& logits, const std::vector<std::string>& texts, std::size_t best);

/// logits (L, labels): neighbours with one label.
std::vector<Finding> label_tokens(const TensorView& logits, const Line& line, const std::vector<std::string>& labels);

/// logits (L, 2): start and end of the answer, anywhere in the second text.
std::vector<Finding> answers(const TensorView& logits, const Line& line, std::size_t best);

/// logits (L, vocabulary): tokens for each mask. Throws Error(data) where there is none.
std::vector<Finding> fill_masks(const TensorView& logits, const Line& line, const text::Tokenizer& tokenizer,
                                std::int64_t mask, std::size_t best);

}  // namespace attn
