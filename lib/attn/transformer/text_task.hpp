#pragma once
// From lines of text to what a model with a head of its own says about them: labels, answers, filled masks, vectors.

#include <attn/core/error.hpp>
#include <attn/transformer/capture.hpp>
#include <attn/transformer/findings.hpp>
#include <attn/transformer/model.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

struct TextTaskParameters {
  std::size_t best = 1;             ///< labels, answers or tokens for each place, the most probable first
  Pooling pooling = Pooling::mean;  ///< of Task::embed
  bool normalize = false;           ///< and its vectors get length 1
  std::size_t batch_rows = 16;      ///< lines of like length that are computed together
  std::optional<std::size_t> max_length = std::nullopt;  ///< of a line, as tokens_of() of text_generation.hpp
  bool no_answer = false;                                ///< of Task::answer: there may be none, an empty text
};

struct LineFindings {
  std::vector<Finding> findings;
  std::vector<double> vector;  ///< of Task::embed
  bool is_cut = false;         ///< the line was longer than what was read
  std::optional<Error> error;
};

/// What the model says of each line, in their order; every line gets what it would get alone. Errors that a line causes
/// stand in its result. A trace is of all lines that are not empty, or of their choices, in one batch.
///
/// - classify: labels with their probabilities, or the logits themselves of a regression; a line with a tab is a pair.
/// - choose: a line is a text, a tab, and the texts to choose from with tabs between them: these, with probabilities.
/// - label_tokens: neighbours with one label ("B-", "I-", "E-", "S-" group and are left away, "O" is no label), with
///   their mean probability.
/// - answer: a line is the question, a tab, the text: the part of it, of 15 tokens at most, whose start and end are
///   most probable together. A text that is too long is read in windows that share tokens, 128 or half of the most.
/// - fill_mask: tokens for each mask token of the line.
/// - embed: the pooled vector.
///
/// Throws Error(usage) for Task::generate, which is text_generation.hpp's, and Task::score_tokens, token_scores.hpp's.
std::vector<LineFindings> perform(const Model& model, const text::Tokenizer& tokenizer,
                                  const std::vector<std::string>& lines, const TextTaskParameters& parameters,
                                  const Execution& execution = {});

/// What a model that sees says of pictures or videos, pixel values (N, ...) as it takes them. Where the frames of a
/// video go apart, their logits are averaged.
std::vector<LineFindings> perform(const Model& model, const TensorView& pixels, const TextTaskParameters& parameters,
                                  const Execution& execution = {});

}  // namespace attn
