#pragma once
// The lines of a file, as the tokens that a model learns from.

#include "transformer-train/examples.hpp"

#include <attn/transformer/training_text.hpp>

#include <string>
#include <vector>

namespace transformer_train {

class Lines : public Examples {
 public:
  /// Reads a whole file, or standard input for "-". `texts` must outlive it. Throws errors that name the file and the
  /// line.
  Lines(const std::string& operand, const attn::TrainingText& texts);

  attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed,
                            std::uint64_t stream) const override;

 private:
  const attn::TrainingText& texts_;
  std::vector<attn::TrainingExample> examples_;
};

}  // namespace transformer_train
