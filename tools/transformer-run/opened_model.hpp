#pragma once
// A model opened from its folder and found to be whole; nothing of its weights is read yet.

#include "cli/options/model_folder.hpp"

#include <attn/text/tokenizer.hpp>
#include <attn/transformer/checkpoint.hpp>
#include <attn/transformer/generation.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/sentence_settings.hpp>

#include <memory>
#include <optional>
#include <string>

namespace transformer_run {

struct OpenedModel {
  std::optional<attn::SentenceSettings> sentences;  ///< of a folder of sentence-transformers
  cli::ModelFolder folder;
  std::unique_ptr<attn::Source> source;
  attn::Settings config;
  attn::ModelDescription description;
  attn::Weights weights;  ///< under the names of the description
  /// After read_generation(): as the folder's files have them, without end tokens.
  attn::GenerationParameters generation;

  /// Throws what is wrong with the folder, its configuration or its weights. task: as describe_model(), or empty.
  explicit OpenedModel(const std::string& path, const std::string& task = {});

  /// For a run that generates. Throws Error(data) for a field or a special token that cannot be.
  void read_generation();

  /// Does it take pictures or videos instead of text?
  bool sees() const noexcept { return description.source && description.source->pictures; }
  /// Does its head make one vector of all? Then the vectors themselves are the result.
  bool pools() const noexcept { return description.head && description.head->result == "pooler_output"; }

  /// Do its files say that it makes one vector of a text?
  bool makes_vectors() const;

  /// Ready to compute, in the type of --dtype or else of the weights.
  attn::Model load(std::optional<attn::DType> dtype) const;
  attn::text::Tokenizer tokenizer() const;
};

}  // namespace transformer_run
