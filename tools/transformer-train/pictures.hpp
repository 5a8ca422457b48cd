#pragma once
// Pictures with labels.

#include "transformer-train/examples.hpp"

#include <attn/transformer/description.hpp>

#include <string>

namespace transformer_train {

class Pictures : public Examples {
 public:
  /// The datasets `pictures` (N, channels, height, width) and `labels` (N) of a file. Throws Error(usage) for a model
  /// with another task, Error(data) for pictures of another shape and for labels that the model does not have.
  Pictures(const std::string& path, const attn::ModelDescription& model);

  attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed,
                            std::uint64_t stream) const override;

 private:
  attn::TensorView pictures_, labels_;
};

}  // namespace transformer_train
