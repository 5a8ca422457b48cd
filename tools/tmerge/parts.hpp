#pragma once
// Which pieces of a whole the parts have: are they of one run, does one piece come twice, is one missing?

#include "cli/options/shard.hpp"
#include "cli/results/part.hpp"
#include "tmerge/options.hpp"

namespace tmerge {

/// A part by the name of its file.
struct Part {
  std::string label;
  cli::PartHeader header;
};

/// What is cut: so many keys in leaves, or rows, of which each is a unit.
struct Whole {
  const char* things;
  std::size_t all, unit;

  std::size_t units() const { return (all + unit - 1) / unit; }
  /// "keys 4096 to 8191", for units [first, end).
  std::string range(std::size_t first, std::size_t end) const;
};

/// Units [first, end) in a part.
struct Piece {
  std::size_t part, node;
  std::size_t first, end;
};

/// Throws Error(usage) for another value of --emit than these.
void expect_emits(const Options& options, const std::vector<std::string>& known);

/// Throws Error(data) that names the file of `part` and the difference.
[[noreturn]] void refuse(const Part& part, const Part& first, const std::string& what, const std::string& here,
                         const std::string& there, const std::string& fix = "merge parts of one run");

/// Throws Error(data) for the first difference from the first part; different instruction sets are a note if the parts
/// are only listed, or with --mixed.
void expect_same(const Part& part, const Part& first, const Options& options, cli::Report& report);

/// That of all parts, or a word for several.
std::string instruction_set_of(const std::vector<Part>& parts);

/// The pieces by their first units. Throws Error(data) if two parts have the same unit.
std::vector<Piece> in_order(std::vector<Piece> pieces, const std::vector<Part>& parts, const Whole& whole);

/// Prints the shards that are missing.
void list_missing(const std::vector<Piece>& pieces, const std::vector<Part>& parts, const Whole& whole,
                  cli::Results& results);

/// Throws Error(data) if a unit of [first, end) is in no piece.
void expect_none_missing(const std::vector<Piece>& pieces, const std::vector<Part>& parts, const Whole& whole,
                         std::size_t first, std::size_t end);

}  // namespace tmerge
