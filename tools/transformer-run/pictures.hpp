#pragma once
// Pictures and videos as input of a model: the files of the command line, resized and normalised as the model's
// preprocessor_config.json specifies.

#include "cli/options/text_lines.hpp"
#include "cli/session.hpp"

#include <attn/core/error.hpp>
#include <attn/image/preprocess.hpp>
#include <attn/models/model_folder.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace transformer_run {

class Frames;

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

}  // namespace transformer_run
