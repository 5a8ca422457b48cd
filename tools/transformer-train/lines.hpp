#pragma once
// The lines of a file, as the tokens that a model learns from.

#include <attn/transformer/training_text.hpp>

#include <string>
#include <vector>

namespace transformer_train {

class Lines {
 public:
  /// Reads the whole file. `texts` must outlive it. Throws errors that name the file and the line.
  Lines(const std::string& path, const attn::TrainingText& texts);

  const std::vector<std::size_t>& lengths() const noexcept { return lengths_; }

  /// The lines of those numbers; `seed` and `stream` choose the tokens to mask.
  attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed, std::uint64_t stream) const;

 private:
  const attn::TrainingText& texts_;
  std::vector<attn::TrainingExample> examples_;
  std::vector<std::size_t> lengths_;
};

}  // namespace transformer_train
