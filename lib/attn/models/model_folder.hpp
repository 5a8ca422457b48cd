#pragma once
// A model on disk: a folder with config.json, weights and a tokenizer, as published models are downloaded.

#include <attn/core/export.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/text/chat_template.hpp>
#include <attn/text/tokenizer.hpp>
#include <attn/transformer/checkpoint.hpp>
#include <attn/transformer/generation.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/text_task.hpp>
#include <attn/transformer/text_vectors.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// The files of a model's folder. The library takes their contents (JSON text, a Source of weights), not the folder.
class ModelFolder {
 public:
  /// Throws Error(input) if there is no such folder.
  explicit ModelFolder(const std::string& path);

  const std::string& path() const noexcept { return path_; }
  /// "FOLDER/NAME", for messages.
  std::string file(const std::string& name) const;

  /// The whole content of a file, or nothing if there is no such file. Throws Error(input) if it cannot be read and
  /// Error(data) if it is larger than any configuration or vocabulary (256 MB).
  std::optional<std::string> read(const std::string& name) const;
  /// The same for a required file.
  std::string require(const std::string& name) const;

  /// NAME of each file below/NAME + ending, sorted.
  std::vector<std::string> names(const std::string& below, const std::string& ending) const;

  /// The weights, mapped: model.safetensors, else the shards of model.safetensors.index.json, else model.h5. Throws
  /// Error(input) that lists these names.
  std::unique_ptr<Source> open_weights() const;

 private:
  std::string path_;
};

/// The chat templates of a folder. Throws as text::load_chat_template().
text::ChatTemplate chat_template_of(const ModelFolder& folder);

// A model opened from its folder and checked for completeness; its weights are not read yet.

struct OpenedModel {
  std::optional<SentenceSettings> sentences;  ///< of a folder of sentence-transformers
  ModelFolder folder;
  std::unique_ptr<Source> source;
  Settings config;
  ModelDescription description;
  Weights weights;  ///< under the names of the description
  /// After read_generation(): the parameters of the folder's files, without end tokens.
  GenerationParameters generation;

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

  /// How its files have texts read: the longest text and the steps from hidden states to a vector, unless another
  /// pooling or prompt is named, for a model that computes in `compute`. Throws Error(usage) for an unknown prompt,
  /// Error(data) for damaged dense maps.
  TextTaskParameters text_parameters(DType compute, std::optional<Pooling> pooling = std::nullopt,
                                     const std::string& prompt = {}) const;

  /// Ready to compute, in the type that is given or else in that of the weights.
  Model load(std::optional<DType> dtype) const;
  text::Tokenizer tokenizer() const;
};

}  // namespace attn
