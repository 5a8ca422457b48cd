#pragma once
// Pictures and videos on their way into a model: the files of the command line, resized and normalised as the model's
// preprocessor_config.json says.

#include "cli/options/text_lines.hpp"
#include "cli/session.hpp"

#include <attn/api/opened_model.hpp>
#include <attn/core/error.hpp>
#include <attn/image/preprocess.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace transformer_run {

class Frames;

class Pictures {
 public:
  /// words: files, or folders of frames, or - for pictures from a pipe; none: the lines of standard input name them.
  Pictures(const std::vector<std::string>& words, const attn::OpenedModel& opened, cli::Session& session);

  /// A picture (3, H, W) or a video (frames, 3, H, W) as the model takes it, or why it cannot be had.
  struct Item {
    std::optional<attn::TensorView> pixels;
    std::optional<attn::Error> error;
  };

  /// The next ones, at most `most`; none when there are no more. A file that holds several pictures is as many of them,
  /// or one video, of which as many frames are taken as the model wants, evenly spaced.
  std::vector<Item> next(std::size_t most);

 private:
  Item video(const std::string& word);
  attn::TensorView prepared(const attn::TensorView& frame) const;

  const attn::OpenedModel& opened_;
  cli::Session& session_;
  cli::TextLines lines_;
  attn::ImagePreprocessing steps_;
  std::vector<std::string> words_;  ///< the last one is next
  bool pipe_is_read_ = false;
  std::shared_ptr<Frames> frames_;  ///< of the file that is being read
};

/// Tensors of one shape on top of each other: (N, ...).
attn::TensorView stacked(const std::vector<attn::TensorView>& parts, const std::string& name);

}  // namespace transformer_run
