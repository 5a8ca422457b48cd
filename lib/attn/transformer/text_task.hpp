#pragma once
// From lines of text to the results of a model with a head: labels, answers, filled masks, vectors.

#include <attn/core/error.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/predictions.hpp>
#include <attn/transformer/text_generation.hpp>
#include <attn/transformer/text_vectors.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

struct TextTaskParameters {
  std::size_t best = 1;          ///< number of labels, answers or tokens for a mask, most probable first
  TextVectorParameters vectors;  ///< of Task::embed
  std::size_t batch_rows = 16;   ///< lines of similar length that are computed together
  std::optional<std::size_t> max_length = std::nullopt;  ///< of a line, as in tokens_of() of text_generation.hpp
  bool no_answer = false;                                ///< for Task::answer: allow an empty answer
  Aggregation aggregation = Aggregation::simple;         ///< of Task::label_tokens
  bool json_lines = false;                               ///< lines are JSON, as in texts_from_json() of lines.hpp
};

struct LinePredictions {
  std::vector<Prediction> predictions;
  std::vector<double> vector;  ///< of Task::embed
  bool is_cut = false;         ///< the line was cut
  bool has_unknown = false;    ///< the tokenizer does not know all of the line
  std::optional<Error> error;
};

/// The results of all lines, in order; every line gets the same result as alone. The error of a line is in its result.
/// A trace is of all lines that are not empty, or of their choices, in one batch.
///
/// - classify: labels with their probabilities, or the logits themselves of a regression; a line with a tab is a pair,
///   whose first text has the prompt.
/// - choose: a line is a text and the texts to choose from, separated by tabs: these, with probabilities.
/// - label_tokens: neighbours with one label ("B-", "I-", "E-", "S-" mark groups and are removed, "O" is no label),
///   with their mean probability.
/// - answer: a line is the question, a tab, the text: the part of at most 15 tokens whose start and end are most
///   probable together.
/// - fill_mask: tokens for each mask token of the line.
/// - embed: the vector of text_vectors(); an empty text has one, too, where the tokenizer adds special tokens.
///
/// label_tokens and answer read a long text in windows that share 128 tokens, or half of the maximum; a token has the
/// label of the window with more text around it.
///
/// Throws Error(usage) for Task::generate, which is text_generation.hpp's, and Task::score_tokens, which is
/// score_tokens()'s.
std::vector<LinePredictions> perform(const Model& model, const text::Tokenizer& tokenizer,
                                     const std::vector<std::string>& lines, const TextTaskParameters& parameters,
                                     const Execution& execution = {});

/// The results for pictures or videos, with pixel values (N, ...) as the model takes them. If the frames of a video are
/// separate sequences, their logits are averaged.
std::vector<LinePredictions> perform(const Model& model, const TensorView& pixels, const TextTaskParameters& parameters,
                                     const Execution& execution = {});

// The probability of a text under a language model, token by token.

struct TokenScores {
  std::vector<std::int64_t> ids;
  std::vector<double> log_probabilities;  ///< of ids[1], ids[2] ...; the first token has no predecessor

  double sum() const;
  /// exp(-mean of the log-probabilities); 1 if there are none.
  double perplexity() const;
};

/// log p(ids[i] | the tokens before it) from a decoder alone.
///
/// stride  where ids are longer than ModelDescription::window(): windows of that length, each beginning `stride` tokens
///         after the one before; tokens are scored by the first window that has them. 0: all in one, which throws
///         Error(data) where the model has no positions for them.
/// The model must have no encoder. At most a few hundred rows of logits are in memory at once.
TokenScores score_tokens(const Model& model, const std::vector<std::int64_t>& ids, std::size_t stride = 0,
                         const Execution& execution = {});

/// The same for a finished pass: logits (at least as many as ids, vocabulary), row i after ids[i].
TokenScores scores_of(const TensorView& logits, const std::vector<std::int64_t>& ids);

// The result for a line, as one JSON object:

/// classify      {"labels": [{"label", "probability"}, ...]}
/// label_tokens  {"entities": [{"text", "label", "probability", "start", "end"}, ...]}
/// answer        {"answers": [{"text", "probability", "start", "end"}, ...]}
/// fill_mask     {"masks": [[{"token", "probability"}, ...], ...]}, one list for each mask
/// embed         {"vector": [...]}
///
/// start and end count code points of the text, for answers of the second text. An error is {"error": "..."}.
std::string to_json(const LinePredictions& line, Task task);
/// {"answers": [{"text", "score"}, ...]}
std::string to_json(const LineAnswers& line);
/// {"perplexity", "log_probability", "tokens": [...], "log_probabilities": [null, ...]}
std::string to_json(const TokenScores& scores, const text::Tokenizer& tokenizer);

}  // namespace attn
