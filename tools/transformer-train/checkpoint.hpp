#pragma once
// The files that a training writes.

#include "transformer-train/options.hpp"

#include <attn/transformer/training.hpp>

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace transformer_train {

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

void restore(attn::Source& state, attn::Trainer& trainer, Progress& progress);

/// The folder of the result. Each file in it is written whole or not at all, training.h5 last, so that a run that is
/// killed at any moment goes on from there.
class Checkpoint {
 public:
  /// Makes the folder, with copies of the files of the model's folder that are not its weights.
  Checkpoint(const Options& options, const Start& start, cli::RunRecord record);

  /// Adds a row to the log, keeps the model if it is the best, or the last one without --valid, and saves the state:
  /// after part of an epoch without that row, as a longer run goes on to the row of the whole epoch.
  void save(const attn::Trainer& trainer, Progress& progress, const LogRow& row, bool has_valid, bool ends_epoch) const;
  void save_state(const attn::Trainer& trainer, const Progress& progress) const;

 private:
  std::string folder_, weights_;  ///< weights_: the file of the best ones
  cli::RunRecord record_;
};

}  // namespace transformer_train
