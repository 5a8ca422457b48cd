#pragma once
// What a model learns from: the rows of a file, as batches.

#include <attn/core/hash.hpp>
#include <attn/transformer/training.hpp>

#include <cstdint>
#include <vector>

namespace transformer_train {

class Examples {
 public:
  virtual ~Examples() = default;

  /// One for each row; rows of like length are in one batch.
  const std::vector<std::size_t>& lengths() const noexcept { return lengths_; }

  /// Tells contents apart.
  std::uint64_t hash() const noexcept { return hash_.value(); }

  /// The rows of those numbers; `seed` and `stream` choose the tokens to mask.
  virtual attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed,
                                    std::uint64_t stream) const = 0;

 protected:
  std::vector<std::size_t> lengths_;
  attn::Hash hash_;
};

}  // namespace transformer_train
