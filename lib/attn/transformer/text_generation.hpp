#pragma once
// From lines of text to lines of text: tokenise, encode, generate, detokenise, many lines at a time.

#include <attn/core/error.hpp>
#include <attn/text/tokenizer.hpp>
#include <attn/transformer/generation.hpp>
#include <attn/transformer/model.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

struct TextGenerationParameters {
  GenerationParameters generation;
  std::optional<std::size_t> max_length;  ///< of a line, as tokens_of()
  std::size_t batch_rows = 64;            ///< lines of like length that are computed together
};

/// One answer to a line.
struct Answer {
  std::string text;
  Generated generated;
};

/// What became of a line: answers, the best first, or the error that its text caused.
struct LineAnswers {
  std::vector<Answer> answers;
  bool is_cut = false;  ///< it was longer than what was read
  std::optional<Error> error;
};

/// Told of the text of a line as it grows, piece by piece; only where lines are computed one at a time, without beams.
using TextHook = std::function<void(const std::string& piece)>;

/// Throws Error(data) when the tokenizer has ids that the model's table does not have.
void check_tokenizer(const ModelDescription& model, const text::Tokenizer& tokenizer);

/// How texts that are too long are cut: to `max_length` tokens, none: to as many as the model has positions for, 0: not
/// at all.
text::TruncationOptions truncation_of(const ModelDescription& model, const text::Tokenizer& tokenizer,
                                      std::optional<std::size_t> max_length);

/// The tokens of a line that the model reads, cut by truncation_of(); none of an empty one, which says nothing. A text
/// that is gone on from loses its beginning, and, without `max_length`, so much that `room` tokens or half of the
/// positions are free. Throws Error(data) when it is not UTF-8 or has more tokens than the model has positions.
text::Encoding tokens_of(const std::string& line, const ModelDescription& model, const text::Tokenizer& tokenizer,
                         std::optional<std::size_t> max_length, std::size_t room = 0);

/// A model and its tokenizer.
class TextGenerator {
 public:
  /// Both must outlive it. Throws Error(data) when the tokenizer has ids that the model does not know.
  TextGenerator(const Model& model, const text::Tokenizer& tokenizer);

  /// The answers to all lines, in their order. Lines are grouped by length into batches that the threads share; every
  /// line gets what it would get alone. An empty line is answered by an empty one. Errors that a line causes (not
  /// UTF-8, longer than the model's positions) stand in its result; others are thrown. A trace is of all lines in one
  /// batch, each a row of its own.
  std::vector<LineAnswers> operator()(const std::vector<std::string>& lines, const TextGenerationParameters& parameters,
                                      const Execution& execution = {}, const TextHook& hook = {}) const;

 private:
  struct Batch;
  void run(const Batch& batch, const TextGenerationParameters& parameters, const Execution& execution,
           const TextHook& hook, std::vector<LineAnswers>& results) const;
  Answer answer(Generated generated, const TextGenerationParameters& parameters) const;

  const Model& model_;
  const text::Tokenizer& tokenizer_;
};

}  // namespace attn
