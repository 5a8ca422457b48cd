#pragma once
// What a run reads besides lines: pictures and videos, and batches of tokens from operands, texts or pictures.

#include "cli/options/text_lines.hpp"
#include "cli/session.hpp"
#include "transformer-run/lines.hpp"
#include "transformer-run/options.hpp"

#include <attn/core/error.hpp>
#include <attn/image/preprocess.hpp>
#include <attn/models/model_folder.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace transformer_run {

class Frames;

/// Pictures and videos as input of a model: the files of the command line, resized and normalised as the model's
/// preprocessor_config.json specifies.
class Pictures {
 public:
  /// words: files, folders of frames, or - for pictures from a pipe; empty: the names in the lines of standard input.
  Pictures(const std::vector<std::string>& words, const attn::OpenedModel& opened, cli::Session& session);

  /// A picture (3, H, W) or a video (frames, 3, H, W) as the model takes it, or the error of reading it.
  struct Item {
    std::optional<attn::TensorView> pixels;
    std::optional<attn::Error> error;
  };

  /// The next items, at most `most`; empty at the end. A file of several pictures gives as many items, or one video
  /// with as many frames as the model needs, evenly spaced.
  std::vector<Item> next(std::size_t most);

 private:
  Item video(const std::string& word);
  attn::TensorView prepared(const attn::TensorView& frame) const;

  const attn::OpenedModel& opened_;
  cli::Session& session_;
  cli::TextLines lines_;
  attn::ImagePreprocessing steps_;
  std::vector<std::string> words_;  ///< in reverse order
  bool pipe_is_read_ = false;
  std::shared_ptr<Frames> frames_;  ///< of the current file
};

/// Tensors of one shape, stacked: (N, ...).
attn::TensorView stacked(const std::vector<attn::TensorView>& parts, const std::string& name);

/// The pixels or the ids of the operands with their masks and types, or those of all texts, read as vectors ask for.
/// Throws Error(usage) for operands that the model does not take, and errors of reading that name the line.
attn::TokenBatch source_batch(const Options& options, const attn::OpenedModel& opened,
                              const attn::TextVectorParameters& vectors, cli::Session& session);

/// The model's tokenizer, with a note for each setting in which its files disagree.
attn::text::Tokenizer tokenizer_of(const attn::OpenedModel& opened, cli::Session& session);

/// attn::tokens_of() of the text of each line. Throws Error(data) that gives the number of the line, from 1.
std::vector<std::vector<std::int64_t>> tokens_of_lines(
    const std::vector<std::string>& lines, const std::function<std::string(const std::string&)>& text_of,
    const attn::ModelDescription& model, const attn::text::Tokenizer& tokenizer, std::optional<std::size_t> max_length,
    LineNotes* notes = nullptr, const std::optional<attn::text::ChatTemplate>& chat = {});

/// The text of a line: itself, or with --json-lines that of its JSON.
std::string text_of_line(const std::string& line, const Options& options);

}  // namespace transformer_run
