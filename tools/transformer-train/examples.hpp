#pragma once
// What a model learns from: the rows of a file, lines of text or pictures with labels, as batches.

#include "cli/options/text_lines.hpp"
#include "cli/report.hpp"
#include "cli/session.hpp"

#include <attn/core/hash.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/training.hpp>
#include <attn/transformer/training_text.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace transformer_train {

/// Columns of a table as texts: a row has a text, or two, and what belongs to it, such as its label.
class TextTable {
 public:
  /// operand: FILE:/text,label. Numbers become words; the file may be a part of rows. Throws Error(usage) for an
  /// operand that names no columns of a table, Error(data) for an empty label.
  TextTable(const std::string& operand, cli::Session& session);

  const std::string& label() const noexcept { return label_; }  ///< the operand
  const std::string& path() const noexcept { return path_; }    ///< the file
  std::size_t columns() const noexcept { return columns_.size(); }
  std::size_t rows() const noexcept { return columns_.front().size(); }
  std::vector<std::string> row(std::size_t i) const;
  /// The different words of the last column: numbers in their order, then words in that of their bytes.
  std::vector<std::string> labels() const;
  /// Throws Error(data) if there is one label alone, or one for each row.
  void expect_classes() const;

 private:
  std::string label_, path_;
  std::vector<std::vector<std::string>> columns_;
};

/// Does an operand name columns, and not lines?
bool names_columns(const std::string& operand);

/// FILE:/text,label for a file whose first line names these two columns and no others, in any order; else the operand.
std::string with_columns(const std::string& operand);

/// The rows of a file.
class Examples {
 public:
  explicit Examples(std::string path);
  virtual ~Examples() = default;

  /// What a row is.
  virtual const char* unit() const = 0;
  /// One for each row; rows of like length are in one batch.
  const std::vector<std::size_t>& lengths() const noexcept { return lengths_; }

  /// The class of each row; empty where rows have none.
  const std::vector<std::int64_t>& classes() const noexcept { return classes_; }
  const std::string& path() const noexcept { return path_; }

  /// Tells contents apart.
  std::string hash() const { return hash_.value().hex(); }

  /// The rows of those numbers; `seed` and `stream` choose the tokens to mask.
  virtual attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed,
                                    std::uint64_t stream) const = 0;

  /// Throws Error(input) if the file is not the one that was opened.
  void expect_unchanged() const;

 protected:
  std::vector<std::size_t> lengths_;
  std::vector<std::int64_t> classes_;
  attn::Hash hash_;

 private:
  std::string path_;
  std::pair<std::uintmax_t, std::filesystem::file_time_type> stamp_;
};

/// Some rows of others.
class Part : public Examples {
 public:
  Part(std::shared_ptr<const Examples> whole, std::vector<std::size_t> rows);

  const char* unit() const override { return whole_->unit(); }
  attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed,
                            std::uint64_t stream) const override;

 private:
  std::shared_ptr<const Examples> whole_;
  std::vector<std::size_t> rows_;
};

/// Holds a share of the rows out, as many of each class as its share, drawn by the seed: the others, and those. Throws
/// Error(usage) if one of the two would be empty.
std::pair<std::unique_ptr<const Examples>, std::unique_ptr<const Examples>> hold_out(
    std::shared_ptr<const Examples> whole, double share, std::uint64_t seed);

/// Lines stay in their file until a batch needs their tokens: only where each begins and its length are in memory. Of
/// texts that are read in blocks, the tokens are.
class Lines : public Examples {
 public:
  /// Reads each line of a file once, or of standard input for "-". A pipe and an expanded gzip file are kept as text.
  /// `texts` must outlive it. Throws errors that name the file and the line.
  Lines(const std::string& operand, const attn::TrainingText& texts);
  /// The rows of a table, which is kept.
  Lines(std::shared_ptr<const TextTable> table, const attn::TrainingText& texts);

  /// Notes that lines were cut or are read in blocks, unless that was asked for.
  void say(std::size_t positions, std::optional<std::size_t> max_length, cli::Report& report) const;

  const char* unit() const override {
    return table_ == nullptr && blocks_.empty() ? "line" : begins_.empty() && !blocks_.empty() ? "block" : "row";
  }
  attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed,
                            std::uint64_t stream) const override;

 private:
  std::string_view line_at(std::size_t begin) const;
  attn::TrainingExample example_at(std::size_t begin) const;
  void read_all(const std::vector<std::size_t>& begins);
  void add(std::size_t begin, std::size_t number);
  void add_to_blocks(const std::vector<std::int64_t>& tokens);
  void end_text_in_blocks(std::size_t first);

  const attn::TrainingText& texts_;
  std::string label_;
  attn::io::Bytes text_;
  std::shared_ptr<const TextTable> table_;  ///< instead of the text; a row begins at its number
  std::vector<std::uint64_t> begins_;       ///< of lines that are a row
  std::vector<std::int32_t> block_tokens_;  ///< of all blocks
  std::vector<attn::text::Span> blocks_;    ///< rows behind those: parts of these tokens
  attn::MemoryShare share_{"tokens of blocks"};
  cli::CountedLines cut_, in_blocks_;
};

/// Pictures with labels.
class Pictures : public Examples {
 public:
  /// The datasets `pictures` (N, channels, height, width) and `labels` (N) of a file. Throws Error(usage) for a model
  /// with another task, Error(data) for pictures of another shape and for labels that the model does not have.
  Pictures(const std::string& path, const attn::ModelDescription& model);

  const char* unit() const override { return "picture"; }

  attn::TrainingBatch batch(const std::vector<std::size_t>& rows, std::uint64_t seed,
                            std::uint64_t stream) const override;

 private:
  attn::TensorView pictures_, labels_;
};

}  // namespace transformer_train
