#pragma once
// What a model learns from: the rows of a file, as batches.

#include <attn/core/hash.hpp>
#include <attn/transformer/training.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace transformer_train {

class Examples {
 public:
  explicit Examples(std::string path);
  virtual ~Examples() = default;

  /// One for each row; rows of like length are in one batch.
  const std::vector<std::size_t>& lengths() const noexcept { return lengths_; }

  /// Tells contents apart.
  std::string hash() const { return hash_.value().hex(); }

  /// The rows of those numbers; `seed` and `stream` choose the tokens to mask.
  virtual attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed,
                                    std::uint64_t stream) const = 0;

  /// Throws Error(input) if the file is not the one that was opened.
  void expect_unchanged() const;

 protected:
  std::vector<std::size_t> lengths_;
  attn::Hash hash_;

 private:
  std::string path_;
  std::pair<std::uintmax_t, std::filesystem::file_time_type> stamp_;
};

}  // namespace transformer_train
