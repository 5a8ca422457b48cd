#pragma once
// A model as it lies on disk: a folder with config.json, weights and a tokenizer, as published models are downloaded.

#include <attn/core/stream.hpp>

#include <memory>
#include <optional>
#include <string>

namespace attn {

/// The files of a model's folder.
class ModelFolder {
 public:
  /// Throws Error(input) when there is no such folder.
  explicit ModelFolder(const std::string& path);

  const std::string& path() const noexcept { return path_; }
  /// "FOLDER/NAME", for messages.
  std::string file(const std::string& name) const;

  /// The whole content of a file, or nothing when there is none of that name. Throws Error(input) when it cannot be
  /// read and Error(data) when it is larger than any configuration or vocabulary (256 MB).
  std::optional<std::string> read(const std::string& name) const;
  /// The same for a file that must be there.
  std::string require(const std::string& name) const;

  /// The weights, mapped: model.safetensors, else the shards of model.safetensors.index.json, else model.h5. Throws
  /// Error(input) that says which files were looked for.
  std::unique_ptr<Source> open_weights() const;

 private:
  std::string path_;
};

}  // namespace attn
