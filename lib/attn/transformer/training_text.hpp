#pragma once
// From lines of text to the batches that a model learns from.

#include <attn/text/tokenizer.hpp>
#include <attn/transformer/training.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ATTN_API attn {

/// The tokens of a line.
struct TrainingExample {
  std::vector<std::int64_t> source, types;  ///< of the encoder, or of the only stack
  std::vector<std::int64_t> target;         ///< what a decoder behind an encoder is to answer, or labels
  bool is_cut = false;                      ///< the text or the answer was cut

  std::size_t length() const noexcept { return source.size() + target.size(); }
};

/// Can a model of this task learn from texts? TrainingText says which can.
bool learns_texts(const ModelDescription& model);

/// How lines become examples, by the task of the model:
///
/// - encoder and decoder: `text<TAB>answer`. The decoder reads the start token and the answer, and is to predict the
///   answer with the special tokens that the tokenizer adds.
/// - language model: text. Each token is to be predicted from those before it, and last the end token, if there is one.
/// - masked language model: text. 15 % of the tokens that are not special are to be predicted: 80 % of these are
///   replaced by the mask token, 10 % by a random token, 10 % stay (Devlin et al. 2019, section 3.1).
/// - classifier of texts: `text<TAB>label` or `text<TAB>text<TAB>label`; a label is a name in config.json or a number.
/// - labels of words: `text<TAB>labels`, one label for each word of the text; a space ends a word. Only the first token
///   of a word counts.
///
/// Texts and answers are cut to `max_length` tokens; none: to the positions of the model; 0: never. The text of a
/// language model is not cut, but read in blocks of so many tokens, and with a `max_length` all lines are one text.
class TrainingText {
 public:
  /// The model must outlive it. answers: the tokenizer of answers, if that of texts does not cut them. Throws
  /// Error(usage) for a model with another task, Error(data) for ids that the model lacks.
  TrainingText(const ModelDescription& model, const text::Tokenizer& tokenizer,
               const std::optional<text::Tokenizer>& answers = std::nullopt,
               std::optional<std::size_t> max_length = std::nullopt);

  /// Throws Error(data) for a line that is not as above; without truncation also for one with more tokens than the
  /// model has positions. The line of a language model may have more than block_length().
  TrainingExample read(const std::string& line) const;
  /// The same for a text, or two, and what belongs to it, as the columns of a table have them: any of them may have
  /// tabs. There are as many as expect_columns() allows.
  TrainingExample read(const std::vector<std::string>& cells) const;
  /// Throws Error(usage) naming `table` if an example of the task is not of so many columns.
  void expect_columns(std::size_t count, const std::string& table) const;

  /// Has an example a class, which is its only label?
  bool has_classes() const noexcept { return model_.task == Task::classify; }
  /// Largest number of tokens of a row of a language model; 0: no blocks.
  std::size_t block_length() const noexcept { return block_length_; }
  /// Are all lines one text?
  bool joins_lines() const noexcept { return block_length_ > 0 && max_length_; }
  /// The tokens of a line of a language model, with the end token.
  std::vector<std::int64_t> tokens_of(const std::string& line) const;

  /// Padded on the right. `seed` and `stream` choose the tokens to mask.
  TrainingBatch batch(const std::vector<TrainingExample>& examples, std::uint64_t seed, std::uint64_t stream) const;

 private:
  text::EncodeOptions options_of(const text::Tokenizer& tokenizer) const;
  /// Least and largest number of texts of an example; a task whose examples are one text takes its tabs, too.
  std::pair<std::size_t, std::size_t> columns() const noexcept;
  TrainingExample read_label(const std::vector<std::string>& cells) const;
  TrainingExample read_labels_of_words(const std::string& text, const std::string& labels) const;
  std::int64_t number_of(const std::string& label) const;
  std::vector<std::int64_t> mask(std::vector<std::vector<std::int64_t>>& rows, std::size_t row, std::uint64_t seed,
                                 std::uint64_t stream) const;

  const ModelDescription& model_;
  text::Tokenizer tokenizer_, answers_;
  std::optional<std::size_t> max_length_;
  std::size_t block_length_ = 0;
  std::int64_t mask_token_ = 0;
};

/// The rows to hold out of so many: a share of each class, drawn by the seed, in ascending order. classes: of the rows;
/// empty: none.
std::vector<std::size_t> held_out_rows(std::size_t rows, const std::vector<std::int64_t>& classes, double share,
                                       std::uint64_t seed);

/// The rows of the batches of an epoch. Seed and epoch shuffle them; then each 100 batches are sorted by length, so
/// that the lines of a batch are of like length, and these batches are shuffled.
std::vector<std::vector<std::size_t>> batches_of_epoch(const std::vector<std::size_t>& lengths, std::size_t batch_rows,
                                                       std::uint64_t seed, std::uint64_t epoch);

}  // namespace attn
