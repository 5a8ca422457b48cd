#pragma once
// Options of transformer-train, and what a training starts from: the model in a folder, or the state of an earlier run.

#include "cli/command.hpp"
#include "cli/session.hpp"
#include "cli/shared_options.hpp"

#include <attn/models/model_folder.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/training.hpp>
#include <attn/transformer/training_text.hpp>

#include <memory>
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
  std::optional<std::size_t> max_length;
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

class TextTable;

struct Start {
  attn::ModelFolder whole;   ///< that of --model
  std::string inside;        ///< the folder inside that has the model, as in old folders of sentence-transformers
  attn::ModelFolder folder;  ///< of the model
  attn::ModelDescription description;
  std::string config;                    ///< the text of config.json
  std::vector<std::string> begun;        ///< the parameters of a new head, in place of the folder's
  std::unique_ptr<attn::Source> state;   ///< of the earlier run, or null
  std::unique_ptr<attn::Source> source;  ///< keeps the weights
  std::optional<attn::Weights> weights;  ///< by the names of the description
  attn::DType compute;

  /// The lines that the model learns from.
  attn::TrainingText texts(const Options& o, cli::Session& session) const;
};

/// Throws Error(data) if the state is of a training with another record, as far as that is known. A note warns of
/// another version or instruction set.
void expect_same_run(attn::Source& state, const cli::RunRecord& record, cli::Report& report);

/// Puts the hash of what a training learns from into the record.
void settle_hash(const std::string& of, const std::string& hash, cli::Session& session);

/// Of names and numbers.
std::string hash_of_weights(attn::Source& weights);

/// The folders of the modules of sentence-transformers inside a folder, the model's first; empty names are the folder
/// itself. None if it is of a model alone.
std::vector<std::string> modules_of(const attn::ModelFolder& folder);

/// training.h5 in the folder of the result.
std::string state_file(const std::string& folder);

/// The share of the rows that --valid holds out, as in 10%; none if it names a file. Throws Error(usage) for one that
/// is not between 0 and 100 %.
std::optional<double> held_out_share(const Options& options);

/// For the labels in the last column of a table, a model without them gets a new head; null: there is no table.
/// Throws Error(create) if the folder of the result exists without --resume, Error(data) if the state in it is of
/// another model or other options, and errors of the files.
Start begin(const Options& options, const TextTable* table, cli::Session& session);

}  // namespace transformer_train
