#pragma once
// The parts of one run: read, compared, and put in the order of their units.

#include "cli/part.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tmerge {

struct Options {
  std::vector<std::string> parts;
  bool list_missing = false, mixed = false;
  cli::OptionalInput key{"k"}, value{"v"};
  cli::Output output;
};

/// Any number of files, of which a few are open at a time.
class Files {
 public:
  Files(std::vector<std::string> names, cli::Session& session) : names_(std::move(names)), session_(session) {}

  std::size_t size() const noexcept { return names_.size(); }
  /// The file, valid until the next one is opened.
  attn::Source& open(std::size_t file);

 private:
  std::vector<std::string> names_;
  cli::Session& session_;
  std::map<std::size_t, std::unique_ptr<attn::Source>> open_;
};

/// Units [first, end): a node of a part, or all of it.
struct Piece {
  std::size_t part, node;
  std::size_t first, end;
};

class Parts {
 public:
  /// Throws Error(data) for the first difference between two parts, and for units that two parts have. Different
  /// instruction sets are a note if the parts are only listed, or with --mixed.
  Parts(std::vector<std::string> names, const Options& options, cli::Session& session);

  const cli::PartHead& head() const noexcept { return files_.front().head(); }
  const std::vector<cli::PartFile>& files() const noexcept { return files_; }
  const std::vector<Piece>& pieces() const noexcept { return pieces_; }
  /// The first part, which has all tensors; a part without units may lack some.
  const cli::PartFile& model() const noexcept { return files_[pieces_.empty() ? 0 : pieces_.front().part]; }
  /// The file, valid until the next one is opened.
  attn::Source& open(std::size_t part) const { return sources_->open(part); }

  /// The shards that are missing.
  std::vector<cli::Shard> missing() const { return shards_of(gaps(0, head().units())); }
  /// Throws Error(data) if a unit of [first, end) is in no piece.
  void expect_none_missing(std::size_t first, std::size_t end) const;
  /// Throws Error(data) for parts that were computed with other keys and values than -k and -v.
  void expect_database(const Options& options, cli::Session& session) const;
  /// The head of a part that replaces all of them.
  cli::PartHead joined_head() const;

 private:
  struct Gap {
    std::size_t first, end;
  };
  void expect_same(const cli::PartFile& part, const Options& options, cli::Report& report) const;
  void expect_tensors(const cli::PartFile& part) const;
  std::vector<Gap> gaps(std::size_t first, std::size_t end) const;
  std::vector<cli::Shard> shards_of(const std::vector<Gap>& gaps) const;
  std::string range(std::size_t first, std::size_t end) const;

  std::shared_ptr<Files> sources_;  // open until the results are written
  std::vector<cli::PartFile> files_;
  std::vector<Piece> pieces_;
};

/// Puts rows one after another.
void join_rows(const Options& options, const Parts& parts, cli::Session& session);
/// Adds up gradients.
void join_sums(const Options& options, const Parts& parts, cli::Session& session);
/// Joins states, and finishes them as their word says: attention, regression or criterion.
void join_states(const Options& options, const Parts& parts, cli::Session& session);
/// Takes the best of the best keys.
void join_searches(const Options& options, const Parts& parts, cli::Session& session);

/// Writes the mean, and what --emit names, of the sums of a regression.
void finish_regression(const Options& options, const cli::PartFile& part, const attn::StateNode& root,
                       cli::Session& session);
/// Writes the criterion at all widths, and the best width.
void finish_criterion(const Options& options, const cli::PartFile& part, const attn::StateNode& root,
                      cli::Session& session);

}  // namespace tmerge
