#pragma once
// The lines of a file, as the tokens that a model learns from.

#include "transformer-train/examples.hpp"

#include <attn/io/byte_input.hpp>
#include <attn/transformer/training_text.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace transformer_train {

/// Lines stay in their file until a batch needs their tokens: only where each begins and its length are in memory.
class Lines : public Examples {
 public:
  /// Reads each line of a file once, or of standard input for "-". A pipe and an expanded gzip file are kept as text.
  /// `texts` must outlive it. Throws errors that name the file and the line.
  Lines(const std::string& operand, const attn::TrainingText& texts);

  attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed,
                            std::uint64_t stream) const override;

 private:
  std::string_view line(std::size_t row) const;
  attn::TrainingExample tokens_of(std::size_t row) const;

  const attn::TrainingText& texts_;
  std::string label_;
  attn::io::Bytes text_;
  std::vector<std::uint64_t> begins_;
};

}  // namespace transformer_train
