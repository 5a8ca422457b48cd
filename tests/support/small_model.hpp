#pragma once
// A transformer small enough to look at, with random weights: for tests of everything that is built on a model.

#include <attn/core/source_sink.hpp>
#include <attn/transformer/model.hpp>

#include <functional>
#include <string>

#include "support/random.hpp"

namespace support {

/// Its config.json, with one piece of text exchanged.
inline std::string small_config(const std::string& change_from = "", const std::string& change_to = "") {
  std::string text = R"({"model_type": "transformer", "d_model": 8, "nhead": 2, "num_encoder_layers": 2,
      "num_decoder_layers": 2, "dim_feedforward": 12, "layer_norm_eps": 1e-5, "scale_embedding": true,
      "position_embedding_type": "sinusoidal", "max_position_embeddings": 16, "pad_token_id": 0, "bos_token_id": 1,
      "eos_token_id": 2, "decoder_start_token_id": 1, "activation": "relu", "norm_first": false,
      "tie_word_embeddings": true, "vocab_size": 11})";
  if (!change_from.empty()) text.replace(text.find(change_from), change_from.size(), change_to);
  return text;
}

inline attn::ModelDescription describe(const std::string& text) {
  return attn::describe_model(attn::Settings(text, "config.json"));
}

/// Random weights for every tensor of the description, less the one that is to be missing.
inline attn::TensorMap random_weights(const attn::ModelDescription& model, const std::string& missing = "") {
  attn::TensorMap weights("model");
  Random random(5);
  for (const attn::TensorInfo& tensor : tensor_table(model))
    if (tensor.name != missing) weights.add(tensor.name, random.tensor(attn::DType::f32, tensor.shape));
  return weights;
}

inline attn::Model small_model(attn::DType dtype = attn::DType::f32) {
  const attn::ModelDescription description = describe(small_config());
  attn::TensorMap weights = random_weights(description);
  return attn::Model(description, weights, dtype);
}

/// What the error says that the action throws.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const attn::Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace support
