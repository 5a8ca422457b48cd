#pragma once
// What logits say about a text: labels, entities, answers, filled masks, with probabilities.

#include <attn/text/tokenizer.hpp>
#include <attn/transformer/description.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

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
  std::size_t index;  ///< among the lines that were given
  std::string first;
  std::optional<std::string> second;  ///< of a pair: what an answer is looked for in, a choice
  text::Encoding encoding;
};

/// All of x in double.
std::vector<double> to_doubles(const TensorView& x);

/// The indices of the k largest, the first among equals first.
std::vector<std::size_t> largest(const std::vector<double>& p, std::size_t k);

// Probabilities are p = softmax(logits) in double unless said; `best` >= 1 findings at most, the most probable first,
// the first among equals first.

/// logits (labels), as many as head.labels: the labels with p; as the head says sigmoid(logit) of each, or the logit
/// itself of a regression.
std::vector<Finding> classify(const TensorView& logits, const HeadDescription& head, std::size_t best);

/// logits, one for each of the texts: the texts with p.
std::vector<Finding> choose(const std::vector<double>& logits, const std::vector<std::string>& texts, std::size_t best);

/// logits (L, labels), L the tokens of the line: neighbours whose most probable label is the same, with the mean of
/// their p. A label begins anew at "B-", and where another place begins ("E-" ends a span, "S-" is alone, in BILOU "L-"
/// and "U-"); it is shown without its place, and is none where it is "O". Tokens that the tokenizer added count for
/// nothing.
std::vector<Finding> label_tokens(const TensorView& logits, const Line& line, const std::vector<std::string>& labels);

/// logits (L, 2): of the start and of the end. Parts of line.second of 15 tokens at most with p_start p_end, both over
/// the tokens of that text and the first of all, [CLS], as in transformers' pipeline (Devlin et al. 2019, section 4.2
/// and 4.3); none where the text has no tokens.
std::vector<Finding> answers(const TensorView& logits, const Line& line, std::size_t best);

/// p_start p_end of [CLS], which stands for no answer; 0 where the tokenizer puts nothing before a text.
double no_answer(const TensorView& logits, const Line& line);

/// What AnswerSearch found of the line, (n, 4): parts of line.second of 15 tokens at most with p_start p_end.
std::vector<Finding> searched_answers(const TensorView& found, const Line& line, std::size_t best);

/// logits (L, vocabulary): for each token of the line that is `mask`, in their order, the tokens of the tokenizer with
/// p. Throws Error(data) where there is no mask.
std::vector<Finding> fill_masks(const TensorView& logits, const Line& line, const text::Tokenizer& tokenizer,
                                std::int64_t mask, std::size_t best);

}  // namespace attn
