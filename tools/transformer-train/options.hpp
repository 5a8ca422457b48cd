#pragma once
// Options of transformer-train.

#include "cli/command.hpp"
#include "cli/shared_options.hpp"

#include <attn/transformer/training.hpp>

#include <optional>
#include <string>
#include <vector>

namespace transformer_train {

struct Options {
  std::string model, data, valid, output;
  bool init = false, resume = false;
  bool gradients = false;  ///< --emit
  bool overwrite = false;
  std::optional<cli::Shard> shard;
  std::string after = "10e";
  std::size_t batch = 64;
  attn::OptimizerParameters optimizer;
  attn::ScheduleKind schedule = attn::ScheduleKind::constant;
  std::size_t warmup = 0;
  std::optional<double> clip_norm;
  double dropout = 0;
  double label_smoothing = 0;
  std::size_t patience = 0;
  std::size_t seed = 0;
  std::vector<std::string> train;  ///< globs
};

void declare(cli::Command& command, Options& options);

/// Throws Error(usage) for options that are missing or exclude each other.
void check(const Options& options);

/// The number of updates that --after asks for.
std::size_t updates_of(const Options& options, std::size_t batches_of_epoch);

/// The names of the parameters that --train chooses; empty without it. Throws Error(usage) for a glob without a match.
std::vector<std::string> trained_parameters(const Options& options, const attn::ModelDescription& model);

attn::TrainerParameters trainer_parameters(const Options& options, const attn::ModelDescription& model,
                                           std::size_t updates);

}  // namespace transformer_train
