#pragma once
// A model opened from its folder and checked for completeness; its weights are not read yet.

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
  attn::Weights weights;  ///< by the names of the description
  /// After read_generation(): the parameters of the folder's files, without end tokens.
  attn::GenerationParameters generation;

  /// Throws for errors in the folder, its configuration or its weights. task: as in describe_model(), or empty.
  explicit OpenedModel(const std::string& path, const std::string& task = {});

  /// For a run that generates. Throws Error(data) for an invalid field or special token.
  void read_generation();

  /// Is its input pictures or videos instead of text?
  bool sees() const noexcept { return description.source && description.source->pictures; }
  /// Does its head pool the vectors into one? Then the vectors themselves are the result.
  bool pools() const noexcept { return description.head && description.head->result == "pooler_output"; }

  /// Do its files ask for one vector per text?
  bool makes_vectors() const;

  /// The model, ready to compute, in the type of --dtype, else of the weights.
  attn::Model load(std::optional<attn::DType> dtype) const;
  attn::text::Tokenizer tokenizer() const;
};

}  // namespace transformer_run
