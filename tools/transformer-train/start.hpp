#pragma once
// What a training starts from: the model in a folder, or the state of an earlier run.

#include "transformer-train/options.hpp"

#include <attn/models/model_folder.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/training_text.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace transformer_train {

/// Hashes of what a training learns from, by the names that a message gives it.
using Origins = std::vector<std::pair<std::string, std::string>>;

struct Start {
  attn::ModelFolder folder;
  attn::ModelDescription description;
  std::unique_ptr<attn::Source> state;   ///< of the earlier run, or null
  std::unique_ptr<attn::Source> source;  ///< keeps the weights
  std::optional<attn::Weights> weights;  ///< by the names of the description
  attn::DType compute;
  Origins origins;  ///< config.json, the weights in the folder if they count, and the tokenizer once it was read

  /// The lines that the model learns from.
  attn::TrainingText texts();
};

/// Throws Error(data) if the state is of a training with others.
void expect_origins(attn::Source& state, const Origins& origins);

/// Of names and numbers.
std::string hash_of_weights(attn::Source& weights);

/// training.h5 in the folder of the result.
std::string state_file(const std::string& folder);

/// Throws Error(create) if the folder of the result exists without --resume, Error(data) if the state in it is of
/// another model or other options, and errors of the files.
Start begin(const Options& options);

}  // namespace transformer_train
