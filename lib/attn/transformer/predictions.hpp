#pragma once
// Results of a text from logits: labels, entities, answers, filled masks, with probabilities.

#include <attn/text/tokenizer.hpp>
#include <attn/transformer/description.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// One result for a line.
struct Prediction {
  std::string text;   ///< label, answer, choice or token; words with a label
  std::string label;  ///< of Task::label_tokens
  double probability = 0;
  text::Span place;      ///< of Task::label_tokens and Task::answer: code points of the text
  std::size_t mask = 0;  ///< for Task::fill_mask: index of the mask in the line
};

/// A line in a model: its tokens, with their origin.
struct Line {
  std::size_t index;                        ///< among the given lines
  std::shared_ptr<const std::string> text;  ///< second of a pair: the text of an answer, a choice; shared by windows
  text::Encoding encoding;
  std::size_t shared = 0;  ///< tokens of the text that are in the window before, too
};

/// How the tokens of a word get one label, as aggregation_strategy of transformers: each has its own (simple), or the
/// word has that of its first token, of the mean of their p, or of the token with the largest p.
enum class Aggregation { simple, first, average, max };

/// All elements of x in double.
std::vector<double> to_doubles(const TensorView& x);

/// The indices of the k largest, the first among equals first.
std::vector<std::size_t> largest(const std::vector<double>& p, std::size_t k);

// Probabilities are p = softmax(logits) in double, unless stated otherwise. At most `best` >= 1 predictions, the most
// probable first, equals in order.

/// logits (labels), as many as head.labels: the labels with p, or, depending on the head, with sigmoid(logit) or, for a
/// regression, the logit itself.
std::vector<Prediction> classify(const TensorView& logits, const HeadDescription& head, std::size_t best);

/// logits, one for each of the texts: the texts with p.
std::vector<Prediction> choose(const std::vector<double>& logits, const std::vector<std::string>& texts,
                               std::size_t best);

/// logits (L, labels), L the tokens of the line: p of each token of the text. A single label is one where
/// sigmoid(logit) is above 1 / 2: p of "O" and of the label.
std::vector<std::vector<double>> token_probabilities(const TensorView& logits, const Line& line);

/// p of each token of a line that has only tokens of the text: neighbours, tokens or words, with the same label, with
/// the mean of their p. A new span begins at "B-", and after the end of a span ("E-" ends one, "S-" is alone; in BILOU
/// "L-" and "U-"). Labels are shown without these prefixes; "O" is no label. continues: does a token go on within a
/// word?
std::vector<Prediction> label_tokens(const std::vector<std::vector<double>>& p, const Line& line,
                                     const std::vector<std::string>& labels, Aggregation aggregation,
                                     const std::vector<bool>& continues);

/// logits (L, 2) of start and end. Parts of line.text of at most 15 tokens with p_start p_end, both over the tokens
/// of that text and the first token, [CLS], as in the pipeline of transformers (Devlin et al. 2019, sections 4.2 and
/// 4.3); empty if the text has no tokens.
std::vector<Prediction> answers(const TensorView& logits, const Line& line, std::size_t best);

/// p_start p_end of [CLS], which means no answer; 0 if the tokenizer adds nothing before a text.
double no_answer(const TensorView& logits, const Line& line);

/// The result of AnswerSearch for the line, (n, 4), as parts of line.text of at most 15 tokens with p_start p_end.
std::vector<Prediction> searched_answers(const TensorView& found, const Line& line, std::size_t best);

/// logits (L, vocabulary): for each `mask` token of the line, in order, the tokens of the tokenizer with p. Throws
/// Error(data) if there is no mask.
std::vector<Prediction> fill_masks(const TensorView& logits, const Line& line, const text::Tokenizer& tokenizer,
                                   std::int64_t mask, std::size_t best);

}  // namespace attn
