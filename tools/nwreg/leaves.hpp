#pragma once
// A part over leaves of the samples: its options and its nodes.

#include "cli/results/state_file.hpp"
#include "nwreg/options.hpp"

#include <utility>
#include <vector>

namespace nwreg {

/// What an empty window gives, as the state of a part says it.
attn::EmptyRows empty_rows_of(attn::EmptyWindow empty);

cli::StateHeader header_of(cli::StateKind kind, const cli::Shard& shard, std::size_t keys, const cli::Session& session);

/// Throws Error(usage) if --emit has more than `name`.
void expect_alone(const Options& options, const char* name);

/// The nodes of a part, which come leaf by leaf.
class Leaves {
 public:
  Leaves(std::size_t heads, std::size_t rows, std::size_t width);

  attn::StateNode leaf(std::size_t at) const { return {attn::TreeNode{0, at}, part_.sizes}; }
  void add(attn::StateNode leaf, const attn::Digest& content, attn::Isa isa);
  attn::AttentionPart take();

 private:
  attn::AttentionPart part_;
  std::vector<std::pair<std::size_t, attn::Digest>> contents_;
};

}  // namespace nwreg
