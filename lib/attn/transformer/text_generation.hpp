#pragma once
// From lines of text to lines of text: tokenise, encode, generate, detokenise, many lines at a time.

#include <attn/core/error.hpp>
#include <attn/text/chat_template.hpp>
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
  std::optional<std::size_t> max_length;                  ///< of a line, as in tokens_of()
  std::size_t batch_rows = 64;                            ///< lines of similar length that are computed together
  std::optional<text::ChatTemplate> chat = std::nullopt;  ///< lines are chats, as JSON
  bool json_lines = false;                                ///< lines are texts, as JSON
};

/// One answer to a line.
struct Answer {
  std::string text;
  Generated generated;
};

/// The result of a line: answers, the best first, or the error of its text.
struct LineAnswers {
  std::vector<Answer> answers;
  bool is_cut = false;       ///< the line was cut
  bool has_unknown = false;  ///< the tokenizer does not know all of the line
  std::optional<Error> error;
};

/// Called with each piece of the text of a line as it grows; only if lines are computed one at a time, without beams.
using TextHook = std::function<void(const std::string& piece)>;

/// Throws Error(data) that names a token of a text that is outside the embedding that reads it. A tokenizer may have
/// such tokens, as those of pictures beside a model that reads text alone.
void check_ids(const std::vector<std::int64_t>& ids, const InputDescription& input, const text::Tokenizer& tokenizer);

/// Truncation of long texts: to `max_length` tokens; none: to the positions of the model; 0: never.
text::TruncationOptions truncation_of(const ModelDescription& model, const text::Tokenizer& tokenizer,
                                      std::optional<std::size_t> max_length);

/// The tokens of a line that the model reads, cut by truncation_of(); none for an empty line, unless it has a vector. A
/// text to continue loses its beginning, and, without `max_length`, enough to leave `room` tokens or half of the
/// positions free. With a chat template, the line is a chat. Throws Error(data) if it is not UTF-8 or has more tokens
/// than the model has positions.
text::Encoding tokens_of(const std::string& line, const ModelDescription& model, const text::Tokenizer& tokenizer,
                         std::optional<std::size_t> max_length, std::size_t room = 0,
                         const std::optional<text::ChatTemplate>& chat = std::nullopt);

/// A model and its tokenizer.
class TextGenerator {
 public:
  /// Both must outlive it. Throws Error(data) if the tokenizer has ids that the model lacks.
  TextGenerator(const Model& model, const text::Tokenizer& tokenizer);

  /// The answers to all lines, in order. Lines are grouped by length into batches that the threads share; every line
  /// gets the same answer as alone. An empty line has an empty answer. The error of a line (not UTF-8, longer than the
  /// model's positions) is in its result; others are thrown. A trace is of all lines in one batch, a row for each.
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
