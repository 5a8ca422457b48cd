#pragma once
// What a training starts from, and the files that it writes.

#include "transformer-train/options.hpp"

#include <attn/models/model_folder.hpp>
#include <attn/text/tokenizer.hpp>
#include <attn/transformer/trainer.hpp>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace transformer_train {

/// The model to start from: its folder, or with --resume the state of an earlier run.
struct Start {
  attn::ModelFolder folder;
  attn::ModelDescription description;
  std::unique_ptr<attn::Source> state;   ///< of the earlier run, or null
  std::unique_ptr<attn::Source> source;  ///< keeps the weights
  std::optional<attn::Weights> weights;  ///< by the names of the description
  attn::DType compute = attn::DType::f32;

  attn::text::Tokenizer tokenizer() const;
};

/// Throws Error(create) if the folder of the result exists without --resume, and errors of the files.
Start begin(const Options& options);

/// update, epoch, loss, valid_loss, accuracy, exact_match, lr, grad_norm.
using LogRow = std::array<double, 8>;

/// What a training remembers beside its parameters.
struct Progress {
  double loss_sum = 0, last_norm = 0;  ///< since the last row of the log
  std::size_t losses = 0;
  double best = std::numeric_limits<double>::infinity();  ///< lowest loss of --valid
  std::size_t epochs_without_gain = 0;
  std::vector<LogRow> log;

  void add(double loss, double gradient_norm) noexcept {
    loss_sum += loss;
    ++losses;
    last_norm = gradient_norm;
  }
  bool is_patience_over(std::size_t patience) const noexcept { return patience > 0 && epochs_without_gain >= patience; }
};

/// Throws Error(data) if the state is of other data or options. data: a hash of all that a training learns from.
void restore(attn::Source& state, attn::Trainer& trainer, Progress& progress, const Options& options,
             std::uint64_t data);

/// The folder of the result. Each file in it is written whole or not at all, training.h5 last, so that a run that is
/// killed at any moment goes on from there.
class Checkpoint {
 public:
  /// Makes the folder, with copies of the files of the model's folder that are not its weights.
  Checkpoint(const Options& options, const Start& start, std::uint64_t data);

  /// Adds a row to the log, keeps the model if it is the best, or the last one without --valid, and saves the state.
  void save(const attn::Trainer& trainer, Progress& progress, const LogRow& row, bool has_valid) const;
  void save_state(const attn::Trainer& trainer, const Progress& progress) const;

 private:
  std::string folder_, options_;
  std::uint64_t data_;
};

}  // namespace transformer_train
