#pragma once
// A model on disk: a folder with config.json, weights and a tokenizer, as published models are downloaded.

#include <attn/core/api.hpp>
#include <attn/core/source_sink.hpp>

#include <memory>
#include <optional>
#include <string>

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

  /// The weights, mapped: model.safetensors, else the shards of model.safetensors.index.json, else model.h5. Throws
  /// Error(input) that lists these names.
  std::unique_ptr<Source> open_weights() const;

 private:
  std::string path_;
};

}  // namespace attn
