#pragma once
// What a training starts from: the model in a folder, or the state of an earlier run.

#include "cli/session.hpp"
#include "transformer-train/options.hpp"

#include <attn/models/model_folder.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/training_text.hpp>

#include <memory>
#include <optional>
#include <string>

namespace transformer_train {

struct Start {
  attn::ModelFolder folder;
  attn::ModelDescription description;
  std::unique_ptr<attn::Source> state;   ///< of the earlier run, or null
  std::unique_ptr<attn::Source> source;  ///< keeps the weights
  std::optional<attn::Weights> weights;  ///< by the names of the description
  attn::DType compute;

  /// The lines that the model learns from.
  attn::TrainingText texts(cli::Session& session) const;
};

/// Throws Error(data) if the state is of a training with another record, as far as that is known. A note warns of
/// another version or instruction set.
void expect_same_run(attn::Source& state, const cli::RunRecord& record, cli::Report& report);

/// Puts the hash of what a training learns from into the record.
void settle_hash(const std::string& of, const std::string& hash, cli::Session& session);

/// Of names and numbers.
std::string hash_of_weights(attn::Source& weights);

/// training.h5 in the folder of the result.
std::string state_file(const std::string& folder);

/// Throws Error(create) if the folder of the result exists without --resume, Error(data) if the state in it is of
/// another model or other options, and errors of the files.
Start begin(const Options& options, cli::Session& session);

}  // namespace transformer_train
